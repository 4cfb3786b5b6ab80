import SecretVault
import Testing
import VaultAgent

/// One message of every form.
enum MessageSamples {
  private static let path = VaultPath(resolved: "/home/user/default.vault")

  /// Requests of every operation.
  static func requests() throws -> [Request] {
    let path = try #require(Self.path)
    let secret = try SecretBytes("secret")
    var unlock = UnlockRequest(path: path, credential: .passphraseAndKeyFile(secret, secret))
    unlock.stateDirectory = "/state"
    unlock.slot = "00"
    unlock.kdfLimit = 20
    unlock.requiresAnchor = true
    unlock.sharedWith = 61_100
    unlock.idleSeconds = 0
    let identity = ItemIdentity(
      server: AttributeValue(data: [0, 255]),
      account: "user",
      port: 8_443,
      group: "work",
      isSynchronizable: true
    )
    var item = SecretItem(identity: identity, accessibility: .afterFirstUnlock)
    item.label = "label"
    item[applicationAttribute: 64] = AttributeValue(data: [1, 2])
    let query = ItemQuery(
      service: "s",
      group: "g",
      accessibility: .whenUnlocked,
      kind: .genericPassword,
      expiringBefore: Timestamp(millisecondsSince1970: 1 << 40)
    )
    let changes = ItemChanges(
      accessibility: .whenUnlocked,
      label: "l",
      comment: "",
      expires: .never,
      versionsKept: 255,
      mustRevalidate: true
    )
    let moment = Timestamp(millisecondsSince1970: 1 << 41)
    return [
      .status(nil), .status(path), .unlock(unlock), .lock(nil), .lock(path), .prompt(path),
      .unlock(UnlockRequest(path: path, credential: .passphrase(secret))),
      .unlock(UnlockRequest(path: path, credential: .keyFile(secret))),
      .unlock(UnlockRequest(path: path, credential: .recoveryCode(secret))),
      .observe(path), .acknowledge(.max), .secret(path, identity), .item(path, identity),
      .contents(path, identity), .items(path, .all), .items(path, query),
      .add(path, item, nil), .add(path, item, secret),
      .set(path, identity, changes, version: nil, secret),
      .set(path, identity, ItemChanges(expires: .at(moment)), version: 7, secret),
      .replace(path, identity, item, nil), .replace(path, identity, item, secret),
      .remove(path, identity, version: nil), .remove(path, identity, version: 0), .emptyLog(path),
      .secret(path, identity, allowingExpired: true), .history(path, identity),
      .earlierSecret(path, identity, version: 1),
      .restoreVersion(path, identity, version: .max),
    ]
  }

  /// Replies of every kind.
  static func replies() throws -> [Reply] {
    let secret = try SecretBytes("secret")
    let item = SecretItem(identity: ItemIdentity(service: "service", account: "account"))
    var listing = ItemListing()
    listing.items = [item, item]
    let version = ItemVersion(version: 7, modified: Timestamp(millisecondsSince1970: 1 << 41))
    listing.lockedCount = 1
    listing.otherDeviceCount = 2
    listing.unsupportedCount = 3
    let status = VaultStatus(
      path: try #require(Self.path),
      state: .unlocked,
      secondsUntilIdleLock: 900,
      secondsUntilEnd: nil
    )
    return [
      .done, .failure(VaultError(.credentialRejected)), .flag(true), .flag(false), .secret(nil),
      .secret(secret), .secret(try SecretBytes(copying: [])), .item(nil), .item(item),
      .contents(item, nil), .contents(item, secret), .listing(ItemListing(), isLast: true),
      .listing(listing, isLast: false), .status([]), .status([status, status]), .prompt(.ask),
      .prompt(.unlocked), .state(.beforeFirstUnlock, 0), .state(.locked, 1),
      .state(.unlocked, .max), .history([]), .history([version, version]),
    ]
  }
}

import VaultDatabase
import VaultFormat

/// Which rows of a group get new keys, and which go.
struct RotationRows {
  /// This device's name in the vault, or `nil` where there is no device key.
  let deviceID: Identifier?
  /// The slots that there will be.
  let slots: [SlotRow]
  /// Whether items that another device's key seals go; else they refuse the rotation.
  let removesItemsOfOtherDevices: Bool

  /// The rows of a group by what becomes of them.
  struct Chosen {
    /// By ascending number of their boxes, the order in which these lie in the file.
    var carried: [Claim] = []
    var removedWithPassphrase: [Claim] = []
    var removedOfOtherDevices: [Claim] = []

    var removed: [Claim] { removedWithPassphrase + removedOfOtherDevices }
  }

  /// - Throws: ``VaultError`` with the code `notOnThisDevice` where rows of another device must not go.
  func choose(from claims: [Claim], _ group: RotatedGroup) throws(VaultError) -> Chosen {
    let hasPassphrase = try SlotRecord.anyTakesPassphrase(
      in: slots,
      opening: group.new.scope.groupID
    )
    var chosen = Chosen()
    for claim in claims {
      let accessibility = ClassByte(rawValue: claim.accessibility)
      if accessibility == .whenPasscodeSetThisDeviceOnly, !hasPassphrase {
        chosen.removedWithPassphrase.append(claim)
      } else if accessibility?.isDeviceBound != false, claim.deviceID != deviceID {
        chosen.removedOfOtherDevices.append(claim)
      } else {
        chosen.carried.append(claim)
      }
    }
    let foreignCount = chosen.removedOfOtherDevices.count
    guard foreignCount == 0 || removesItemsOfOtherDevices else {
      throw VaultError(
        .notOnThisDevice,
        "\(foreignCount) items are bound to another device, which alone can seal them anew; "
          + "give new keys there, or let these items be removed"
      )
    }
    chosen.carried.sort { $0.box < $1.box }
    return chosen
  }
}

extension Session {
  /// Every claim of a group, from verified pages, inside a transaction that sees `snapshot`.
  func claims(of group: OpenGroup, at snapshot: GroupSnapshot) throws(VaultError) -> [Claim] {
    var claims: [Claim] = []
    claims.reserveCapacity(Int(clamping: snapshot.branches.totalItems))
    do {
      try forEachPage(in: snapshot, of: group) { page throws(VaultError) in
        do {
          for index in 0..<page.count { claims.append(try page.claim(at: index)) }
        } catch {
          throw VaultError(translating: error)
        }
      }
    } catch {
      throw VaultError(translating: error)
    }
    return claims
  }

  /// Copies the boxes of a row out of the file.
  func sealedRow(
    of claim: Claim,
    in group: OpenGroup,
    at snapshot: GroupSnapshot
  ) throws(VaultError) -> SealedRow {
    SealedRow(
      claim: claim,
      attributes: try box(.attributes, of: claim, in: group, at: snapshot),
      secret: try box(.secret, of: claim, in: group, at: snapshot),
      history: try box(.history, of: claim, in: group, at: snapshot),
      group: group
    )
  }

  private func box(
    _ part: BoxPart,
    of claim: Claim,
    in group: OpenGroup,
    at snapshot: GroupSnapshot
  ) throws(VaultError) -> [UInt8] {
    let box: [UInt8]?
    do {
      box = try connection.withBox(part, box: Int64(clamping: claim.box), groupRow: group.row) {
        counter,
        tag,
        blob -> [UInt8]? in
        guard let blob, snapshot.matches(counter: counter, tag: tag) else { return nil }
        var copy: [UInt8] = []
        copy.append(blob)
        return copy
      }
    } catch {
      throw VaultError(translating: error)
    }
    // A claim whose box is missing is tampering.
    guard let box else { throw VaultError(.tampered) }
    return box
  }
}

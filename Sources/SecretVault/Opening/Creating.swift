import CLinux
import Glibc
import SecretMemory
package import VaultCrypto
import VaultDatabase
import VaultFormat

extension SecretStore {
  /// Makes a vault with one access group and returns it unlocked.
  ///
  /// Missing folders are made with mode 0700, files have mode 0600 from their first byte; for a vault that a Unix group
  /// shares a missing folder is made with mode 2770, and files have mode 0660. The vault gets its name only
  /// when it is whole and durable; of several processes that create at once, one succeeds.
  ///
  /// Each of `slots`, of which there must be one, becomes a slot of its own that opens the whole vault. The group's
  /// name has 1 to 252 bytes.
  ///
  /// - Throws: ``VaultError``: `vaultExists`, `insecureFile`, `invalidArgument` for a malformed credential
  ///   or name.
  public static func create(
    at path: String,
    protectedBy slots: [NewSlot],
    group: String = "default",
    lockState: any LockStateProvider = ManualLockState(),
    options: Options = Options()
  ) throws(VaultError) -> SecretStore {
    try create(
      at: path,
      protectedBy: slots,
      group: group,
      lockState: lockState,
      options: options,
      random: .system
    )
  }

  package static func create(
    at path: String,
    protectedBy slots: [NewSlot],
    group: String,
    lockState: any LockStateProvider,
    options: Options,
    random: RandomSource
  ) throws(VaultError) -> SecretStore {
    guard let first = slots.first else {
      throw VaultError(.invalidArgument, "a vault needs a credential; give one")
    }
    guard slots.allSatisfy({ $0.group == nil }) else {
      throw VaultError(
        .invalidArgument,
        "a new vault has slots of the whole vault; add those of a group afterwards"
      )
    }
    do { try SelfTest.requirePassed() } catch { throw VaultError(translating: error) }
    if options.allowsUnlockedMemory { ProcessHardening.allowUnlockedMemory() }
    try VaultLocation.makeFolders(above: path, rules: options.rules)
    guard let location = try VaultLocation(path, rules: options.rules)
    else { throw VaultError(.inputOutput) }
    var creation = VaultCreation(location: location, options: options, random: random)
    let made = try creation.run(slots: slots, group: group)
    let store = try SecretStore(
      location: location,
      options: options,
      provider: lockState,
      random: random
    )
    do {
      try store.anchors?.record(creation.vaultID, at: location.path)
    } catch {
      store.note(.anchorNotWritten)
    }
    store.follow()
    if lockState.state == .unlocked { try store.unlock(with: first.credential, made: made.first) }
    return store
  }
}

/// Makes a vault under a temporary name and gives it its own at the end.
private struct VaultCreation {
  let location: VaultLocation
  let options: SecretStore.Options
  let random: RandomSource
  private(set) var vaultID = Identifier.zero

  init(location: VaultLocation, options: SecretStore.Options, random: RandomSource) {
    self.location = location
    self.options = options
    self.random = random
  }

  private var temporaryName: String { location.name + ".new" }

  mutating func run(
    slots: [SecretStore.NewSlot],
    group: String
  ) throws(VaultError) -> [MadeSlot] {
    try requireFree()
    vaultID = try translatingErrors { () throws(any Error) in Identifier(try random.bytes()) }
    // Stretched before the lock is taken, so that nobody waits for it.
    let contents = try makeContents(slots: slots, group: group)
    let lock = try WriteLock(location)
    let deadline = ContinuousClock.now + .milliseconds(options.busyTimeoutMilliseconds)
    try lock.acquire(until: deadline, while: { true })
    defer { lock.release() }
    try requireFree()
    // What a killed creation left is nobody's: its maker no longer holds the lock.
    removeTemporaryFiles()
    // The log of a vault that was deleted would be read into the new one.
    removeFiles(location.name, ["-wal", "-shm", "-journal"])
    do {
      try write(contents)
      notePath()
      try giveName()
    } catch {
      removeTemporaryFiles()
      throw error
    }
    return contents.slots
  }

  private func requireFree() throws(VaultError) {
    if try FileStatus.of(location.name, in: location.folder) != nil {
      throw VaultError(.vaultExists)
    }
  }

  private struct Contents {
    let head: HeadRow
    let slots: [MadeSlot]
    let group: NewGroup
  }

  private func makeContents(
    slots: [SecretStore.NewSlot],
    group: String
  ) throws(VaultError) -> Contents {
    do {
      let cipher = try GCM()
      let root = try Key<Role.Root>.random(from: random)
      let making = SlotMaking(
        vaultID: vaultID,
        random: random,
        state: options.stateFolder(rules: location.rules),
        cipher: cipher
      )
      var made: [MadeSlot] = []
      var costLeft = Limits.totalCost
      for slot in slots {
        made.append(try making.make(slot, root: root, costLeft: costLeft))
        costLeft -= made.last?.record.cost ?? 0
      }
      let newGroup = try GroupMaking(vaultID: vaultID, random: random, cipher: cipher)
        .make(named: group, root: root)
      var state = StateList(of: .head)
      state.sharingGroup = options.sharedWith?.number
      let head = try HeadMaking(
        vaultID: vaultID,
        rootEpoch: 1,
        adminCounter: 1,
        state: state.bytes
      )
      .row(slots: made.map(\.row), groups: [newGroup.record.bytes], root: root)
      return Contents(head: head, slots: made, group: newGroup)
    } catch {
      throw VaultError(translating: error)
    }
  }

  private func write(_ contents: Contents) throws(VaultError) {
    // Closed again before SQLite opens it: no lock is held on it yet that a close could drop.
    _ = try location.make(temporaryName)
    let database = SQLiteDatabase(
      path: location.path + ".new",
      busyTimeout: Int32(clamping: options.busyTimeoutMilliseconds)
    )
    do {
      try database.create()
      let connection = try database.connect(.readWrite)
      defer { connection.close() }
      try connection.beginWrite()
      try connection.putHead(contents.head)
      for slot in contents.slots { try connection.putSlot(slot.row) }
      try contents.group.insert(into: connection)
      try connection.commit()
      guard try connection.checkpoint(.truncate) else { throw VaultError(.busy) }
    } catch {
      throw VaultError(translating: error)
    }
  }

  /// Notes the vault before it has its name, so that who opens it at once does not take it for a replaced one.
  ///
  /// Where that fails the store tells, which notes it again.
  private func notePath() {
    guard let state = options.stateFolder(rules: location.rules) else { return }
    try? AnchorStore(state, random: random).record(vaultID, at: location.path)
  }

  private func giveName() throws(VaultError) {
    let folder = location.folder.number
    removeFiles(temporaryName, ["-wal", "-shm"])
    // SQLite makes them with the umask first, and another member of the group could come in between.
    if options.sharedWith != nil {
      for suffix in ["-wal", "-shm"] { _ = try location.make(location.name + suffix) }
    }
    let result = unsafe secretvault_rename_without_replacing(
      folder,
      temporaryName,
      folder,
      location.name
    )
    guard result == 0 else { throw VaultError.fromErrno(errno) }
    try location.folder.synchronize()
  }

  private func removeTemporaryFiles() {
    removeFiles(temporaryName, ["", "-wal", "-shm", "-journal"])
  }

  private func removeFiles(_ name: String, _ suffixes: [String]) {
    for suffix in suffixes { unsafe unlinkat(location.folder.number, name + suffix, 0) }
  }
}

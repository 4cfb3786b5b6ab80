import CLinux
import Glibc
import VaultCrypto
import VaultDatabase
import VaultFormat

/// Makes a vault under a temporary name and gives it its own at the end.
struct VaultCreation {
  let location: VaultLocation
  let options: SecretStore.Options
  let random: RandomSource
  private(set) var vaultID = Identifier.zero

  init(location: VaultLocation, options: SecretStore.Options, random: RandomSource) {
    self.location = location
    self.options = options
    self.random = random
  }

  mutating func run(
    slots: [SecretStore.NewSlot],
    group: String
  ) throws(VaultError) -> [MadeSlot] {
    try requireFree()
    vaultID = try translatingErrors { () throws(any Error) in Identifier(try random.bytes()) }
    // Stretched before the lock is taken, so that nobody waits for it.
    let contents = try makeContents(slots: slots, group: group)
    var lock = try WriteLock(location)
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
        made.append(try making.make(slot, root: root, epoch: 1, costLeft: costLeft))
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
    _ = try location.make(location.temporaryName)
    let database = SQLiteDatabase(
      path: location.path(of: location.temporaryName),
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
    removeFiles(location.temporaryName, ["-wal", "-shm"])
    // SQLite makes them with the umask first, and another member of the group could come in between.
    if options.sharedWith != nil {
      for suffix in ["-wal", "-shm"] { _ = try location.make(location.name + suffix) }
    }
    let result = unsafe secretvault_rename_without_replacing(
      folder,
      location.temporaryName,
      folder,
      location.name
    )
    guard result == 0 else { throw VaultError.fromErrno(errno) }
    try location.folder.synchronize()
  }

  private func removeTemporaryFiles() {
    removeFiles(location.temporaryName, ["", "-wal", "-shm", "-journal"])
  }

  private func removeFiles(_ name: String, _ suffixes: [String]) {
    for suffix in suffixes { unsafe unlinkat(location.folder.number, name + suffix, 0) }
  }
}

import Foundation
import Glibc
import SecretVault
import Testing

@Suite("Making a vault")
struct CreationTests {
  private let vault: TemporaryVault
  private var target: String { vault.folder + "/target" }

  init() throws {
    vault = try TemporaryVault()
    try Data("precious".utf8).write(to: URL(fileURLWithPath: target))
  }

  private func expectTargetUntouched() {
    #expect(FileManager.default.contents(atPath: target) == Data("precious".utf8))
  }

  @Test(
    "F-3: every file is private from the start, whatever the mask",
    arguments: [0o000, 0o022, 0o077] as [mode_t]
  )
  func privateFiles(_ mask: mode_t) async {
    let path = vault.folder + "/new/deeper/test.vault"
    let child = ChildVault(vault)
    await #expect(processExitsWith: .success) {
      [child = child as ChildVault, path = path as String, mask = mask as mode_t] in
      umask(mask)
      let store = try SecretStore.create(
        at: path,
        protectedBy: [SecretStore.NewSlot(child.credential)],
        options: child.options
      )
      try writeOne(to: store)
      let folder = String(path.dropLast("/test.vault".count))
      let root = String(folder.dropLast("/deeper".count))
      let made = try modes(below: root)
      #expect(
        made == [
          "": 0o700, "/deeper": 0o700, "/deeper/test.vault": 0o600,
          "/deeper/test.vault-wal": 0o600, "/deeper/test.vault-shm": 0o600,
          "/deeper/test.vault.lock": 0o600,
        ],
        "\(made)"
      )
      let state = try modes(below: child.statePath)
      #expect(Set(state.keys).isSuperset(of: ["", "/anchors", "/anchors/paths"]), "\(state)")
      for (name, mode) in state {
        #expect(mode == (["", "/anchors"].contains(name) ? 0o700 : 0o600), "\(name)")
      }
    }
  }

  @Test(
    "F-4: a name that is taken is left as it is",
    arguments: ["file", "link", "dangling link", "folder"]
  )
  func takenName(_ kind: String) throws {
    switch kind {
    case "file": #expect(unsafe link(target, vault.path) == 0)
    case "link": #expect(unsafe symlink(target, vault.path) == 0)
    case "dangling link": #expect(unsafe symlink(vault.folder + "/nothing", vault.path) == 0)
    default: #expect(unsafe mkdir(vault.path, 0o700) == 0)
    }
    #expect(throws: VaultError(.vaultExists)) { try vault.create() }
    expectTargetUntouched()
    #expect(try names() == ["target", "test.vault"])
  }

  @Test(
    "F-4: links that wait at the temporary names lead nowhere",
    arguments: ["", "-wal", "-shm", "-journal"]
  )
  func plantedTemporaryName(_ suffix: String) throws {
    #expect(unsafe symlink(target, vault.path + ".unfinished" + suffix) == 0)
    let store = try vault.create()
    try store.write(1, "base")
    expectTargetUntouched()
    #expect(try !names().contains { $0.contains(".unfinished") })
  }

  @Test("F-4: a link at the name of the lock is refused")
  func plantedLock() throws {
    #expect(unsafe symlink(target, vault.path + ".lock") == 0)
    #expect(throws: VaultError(.insecureFile)) { try vault.create() }
    expectTargetUntouched()
    #expect(try names() == ["target", "test.vault.lock"])
  }

  @Test("F-4: of several threads that make one vault at once, one succeeds")
  func race() throws {
    let makers = (0..<4).map { _ in
      Background { [vault] in _ = try vault.create() }
    }
    let outcomes = makers.map { $0.result() }
    let failures = outcomes.compactMap { outcome in
      if case .failure(let error) = outcome { error as? VaultError } else { nil }
    }
    #expect(failures == Array(repeating: VaultError(.vaultExists), count: 3))
    #expect(try vault.openUnlocked().items().items.isEmpty)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: vault.folder).sorted()
      .filter { $0 != "state" }
  }
}

private func writeOne(to store: SecretStore) throws {
  try store.write(1, "base")
}

/// The permissions of a folder and of everything below it.
private func modes(below root: String) throws -> [String: Int] {
  let names = try [""] + FileManager.default.subpathsOfDirectory(atPath: root).map { "/" + $0 }
  var modes: [String: Int] = [:]
  for name in names {
    let attributes = try FileManager.default.attributesOfItem(atPath: root + name)
    modes[name] = attributes[.posixPermissions] as? Int
  }
  return modes
}

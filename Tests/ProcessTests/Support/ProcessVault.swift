import Foundation
import SecretVault
import TestSupport

/// A vault in a folder of its own, and the programs that work on it.
final class ProcessVault: Sendable {
  /// Holds the vault, the state folder and the key file.
  let folder: TemporaryFolder

  /// The tool and the worker stand beside the bundle of these tests.
  private static let programFolder = URL(fileURLWithPath: "/proc/self/exe")
    .resolvingSymlinksInPath().deletingLastPathComponent()

  /// Makes the folder and a key file, and no vault.
  init(empty: Void) throws {
    folder = try TemporaryFolder()
    try Credential.makeKeyFile().write(toNewPrivateFile: keyPath)
  }

  /// Makes the folder, a key file, and a vault that the key file opens.
  convenience init(alsoProtectedBy more: [SecretStore.NewSlot] = []) throws {
    try self.init(empty: ())
    let slot = SecretStore.NewSlot(try credential)
    try SecretStore.create(at: path, protectedBy: [slot] + more, options: options).close()
  }

  var path: String { folder.path("home/test.vault") }
  var statePath: String { folder.path("state") }
  var keyPath: String { folder.path("key") }

  var credential: Credential {
    get throws { try .keyFile(at: keyPath) }
  }

  var options: SecretStore.Options {
    var options = SecretStore.Options()
    options.stateDirectory = statePath
    return options
  }

  /// Opens the vault for a piece of work, and closes it.
  func withStore<Result>(_ body: (SecretStore) throws -> Result) throws -> Result {
    let store = try SecretStore.open(at: path, options: options)
    defer { store.close() }
    try store.unlock(with: credential)
    return try body(store)
  }

  /// Whether the passphrase in a file opens the vault; any failure but a wrong passphrase is thrown.
  func isOpened(byPassphraseIn file: String) throws -> Bool {
    let passphrase = try SecretBytes(contentsOfPrivateFile: file, maximumByteCount: 1024)
    let store = try SecretStore.open(at: path, options: options)
    defer { store.close() }
    do {
      try store.unlock(with: .passphrase(passphrase))
      return true
    } catch  where error.code == .credentialRejected {
      return false
    }
  }

  /// Describes a run of the tool.
  func tool(_ words: String..., input: ChildProcess.Stream = .pipe) -> ChildProcess.Request {
    tool(words: words, input: input)
  }

  /// Describes a run of the tool.
  func tool(words: [String], input: ChildProcess.Stream = .pipe) -> ChildProcess.Request {
    var request = request("secretvault", words)
    request.input = input
    return request
  }

  /// Describes a run of the worker.
  func worker(_ verb: String, _ words: String...) -> ChildProcess.Request {
    request("VaultWorker", [verb, path, statePath, keyPath] + words)
  }

  private func request(_ program: String, _ words: [String]) -> ChildProcess.Request {
    ChildProcess.Request(
      executable: Self.programFolder.appendingPathComponent(program).path,
      arguments: words.map { Array($0.utf8) },
      environment: [
        "HOME": folder.path,
        "XDG_RUNTIME_DIR": folder.path,
        "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
        "SECRETVAULT_PATH": path,
        "SECRETVAULT_STATE": statePath,
        "SECRETVAULT_KEY_FILE": keyPath,
      ]
    )
  }
}

extension ChildProcess.Request {
  /// Runs the program to its end.
  func run(within limit: Duration = .seconds(60)) throws -> ChildProcess.Outcome {
    try ChildProcess(self).finish(within: limit)
  }

  /// Runs the program, and fails the test where it does not succeed.
  @discardableResult
  func runToSuccess() throws -> ChildProcess.Outcome {
    let outcome = try run()
    guard outcome.exitCode == 0 else {
      throw UnexpectedEnd(description: outcome.text + outcome.errorText)
    }
    return outcome
  }

  /// The same run, started by another program that takes these words first.
  func started(by program: String, _ words: [String]) -> ChildProcess.Request {
    var request = self
    request.executable = program
    request.arguments = words.map { Array($0.utf8) } + [Array(executable.utf8)] + arguments
    return request
  }
}

/// A program that a test needs did not do its work.
struct UnexpectedEnd: Error, CustomStringConvertible {
  let description: String
}

extension SecretBytes {
  init(_ text: String) throws {
    try self.init(copying: Array(text.utf8))
  }
}

extension TemporaryFolder {
  /// The names in a folder below, sorted.
  func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(folder)).sorted()
  }
}

import Glibc
import SecretVault

/// The temporary folder of the tour, where its commands run.
struct TourFolder {
  static let keyFile = "key"
  static let passphraseFile = "passphrase"
  static let wrongPassphraseFile = "wrong-passphrase"
  static let recoveryCodeFile = "recovery-code"

  private static let inputFile = "input"
  private static let outputFile = "output"
  private static let notesFile = "notes"

  private let path: String

  /// Makes the folder, private and empty, in `TMPDIR` or `/tmp`, and goes there.
  ///
  /// - Throws: A system failure.
  init() throws(Failure) {
    let parent = try ProcessEnvironment.value(of: "TMPDIR") ?? "/tmp"
    var template = Array("\(parent)/secretvault-tour-XXXXXX\0".utf8)
    let isMade = unsafe template.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      return unsafe mkdtemp(start.assumingMemoryBound(to: CChar.self)) != nil
    }
    guard isMade else {
      throw .system(errno, "cannot make a folder in \(TextEscaping.escaped(parent))")
    }
    guard unsafe chdir(String(decoding: template.dropLast(), as: UTF8.self)) == 0,
      let current = unsafe getcwd(nil, 0)
    else { throw .system(errno, "cannot go to the temporary folder") }
    defer { unsafe free(current) }
    // TMPDIR may be relative; the children need the whole path.
    path = unsafe String(cString: current)
  }

  /// Writes the passphrases that the steps use.
  func prepare() throws {
    try RandomText.words(6).write(toNewPrivateFile: Self.passphraseFile)
    try RandomText.words(6).write(toNewPrivateFile: Self.wrongPassphraseFile)
  }

  /// Removes the folder with all that is in it; what cannot be removed held nothing real.
  func remove() {
    _ = unsafe chdir("/")
    Self.remove(path)
  }

  /// Runs the tool as a child process, without a terminal and with no variables but its own.
  ///
  /// - Throws: A failure when the process cannot be started or its output not be read.
  func run(_ step: TourStep) throws(Failure) -> TourResult {
    try writeInput(step.input ?? "")
    let child = try ChildProcess(
      ChildProcess.Request(
        arguments: ["secretvault"] + step.arguments,
        environment: try environment(hasKey: step.hasKey),
        streams: [
          .input(Self.inputFile), .newFile(Self.outputFile), .newFile(Self.notesFile),
        ],
        startsSession: true
      ),
      name: "the tool itself"
    )
    let status = try child.waitForEnd()
    return TourResult(
      exitCode: status,
      output: try Self.contents(of: Self.outputFile),
      notes: try Self.contents(of: Self.notesFile)
    )
  }

  private func environment(hasKey: Bool) throws(Failure) -> [String] {
    var variables = [
      "HOME=\(path)", "XDG_RUNTIME_DIR=\(path)",
      "SECRETVAULT_PATH=\(path)/tour.vault", "SECRETVAULT_STATE=\(path)/state",
    ]
    if hasKey { variables.append("SECRETVAULT_KEY_FILE=\(path)/\(Self.keyFile)") }
    if let libraries = try ProcessEnvironment.value(of: "LD_LIBRARY_PATH") {
      variables.append("LD_LIBRARY_PATH=\(libraries)")
    }
    return variables
  }

  private func writeInput(_ text: String) throws(Failure) {
    let number = unsafe open(Self.inputFile, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw .system(errno, "cannot write in the temporary folder") }
    defer { close(number) }
    try Descriptor(number: number).write(Array(text.utf8).span, name: "in the temporary folder")
  }

  /// Reads a file that a step wrote; nothing in the tour is a real secret.
  private static func contents(of name: String) throws(Failure) -> [UInt8] {
    let number = unsafe open(name, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw .system(errno, "cannot read in the temporary folder") }
    defer { close(number) }
    var contents: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      var space = chunk.mutableSpan
      let count = try Descriptor(number: number).read(
        into: &space,
        at: 0..<space.count,
        name: "in the temporary folder"
      )
      if count == 0 { return contents }
      contents += chunk.prefix(count)
    }
  }

  private static func remove(_ path: String) {
    if unsafe unlink(path) == 0 { return }
    guard let folder = unsafe opendir(path) else { return }
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { remove(path + "/" + name) }
    }
    unsafe closedir(folder)
    _ = unsafe rmdir(path)
  }
}

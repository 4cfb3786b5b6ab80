import Glibc
import SecretVault

/// What is to open a vault from now on.
struct NewCredentials {
  /// A passphrase shorter than this many bytes is remarked on.
  private static let advisedPassphraseLength = 12

  /// Where the new passphrase is read, if an option says so.
  let passphrase: CredentialSource?
  private let keyFile: KeyFile?
  private let recoveryCodeFile: String?

  private enum KeyFile {
    case existing(CredentialSource)
    case generated(path: String)
  }

  /// Takes the options for new credentials; nothing is read or made yet.
  ///
  /// With `acceptsPlain` the options and variables that name existing credentials mean the new ones too,
  /// as for `init`.
  ///
  /// - Throws: A usage failure: two passphrases, two key files, an unreadable descriptor.
  init(_ arguments: ParsedArguments, acceptsPlain: Bool) throws(Failure) {
    let descriptor = try DescriptorOptions.descriptor(.newPassphraseDescriptor, in: arguments)
    var passphrases: [CredentialSource] = [
      descriptor.map { .passphraseDescriptor($0) },
      arguments.value(of: .newPassphraseFile).map { .passphraseFile($0) },
    ].compactMap(\.self)
    var keyFiles: [KeyFile] = [
      arguments.value(of: .newKeyFile).map { .existing(.keyFile($0)) },
      arguments.value(of: .generateKeyFile).map { .generated(path: $0) },
    ].compactMap(\.self)
    if acceptsPlain {
      var plain = try CredentialSource.options(arguments)
      if plain.isEmpty && passphrases.isEmpty && keyFiles.isEmpty {
        let variables = try CredentialSource.variables()
        plain = [.key, .passphrase].compactMap { factor in
          variables.first { $0.factor == factor }
        }
      }
      passphrases += plain.filter { $0.factor == .passphrase }
      keyFiles += plain.filter { $0.factor == .key }.map { .existing($0) }
    }
    if passphrases.count > 1 { throw .usage("more than one new passphrase; give one") }
    if keyFiles.count > 1 { throw .usage("more than one new key file; give one") }
    passphrase = passphrases.first
    keyFile = keyFiles.first
    recoveryCodeFile = arguments.value(of: .recoveryCodeFile)
  }

  /// Whether any option for new credentials was given.
  var isGiven: Bool { passphrase != nil || keyFile != nil || recoveryCodeFile != nil }
  /// Whether both a passphrase and a key file are given.
  var hasBothFactors: Bool { passphrase != nil && keyFile != nil }
  /// Whether a recovery code is all that is asked for.
  var isRecoveryCodeOnly: Bool { passphrase == nil && keyFile == nil && recoveryCodeFile != nil }
  /// Whether a recovery code is to be written to a file.
  var wantsRecoveryCodeFile: Bool { recoveryCodeFile != nil }
}

extension NewCredentials {
  /// Reads, makes or asks for the factors, and combines them.
  ///
  /// With `either` each factor gets a slot of its own, instead of one slot that needs both.
  ///
  /// - Throws: A failure: an unreadable source, no terminal to ask on, a file that cannot be made.
  func slots(
    either: Bool,
    label: String = "",
    _ console: Console,
    _ files: NewFiles
  ) throws -> [SecretStore.NewSlot] {
    let key = try keyFile.map { keyFile in try contents(of: keyFile, files) }
    let others = [Option.newKeyFile, .generateKeyFile]
    let passphrase =
      try passphrase == nil && key != nil ? nil : readPassphrase(console, insteadOf: others)
    return switch (passphrase, key) {
    case (let passphrase?, let key?) where either:
      [.init(.passphrase(passphrase), label: label), .init(.keyFile(contents: key), label: label)]
    case (let passphrase?, let key?):
      [.init(.passphrase(passphrase, keyFileContents: key), label: label)]
    case (let passphrase?, nil): [.init(.passphrase(passphrase), label: label)]
    case (nil, let key?): [.init(.keyFile(contents: key), label: label)]
    case (nil, nil): []
    }
  }

  /// Reads the new passphrase, or asks for it twice at the terminal.
  ///
  /// - Throws: A failure where neither is possible; it names the options that take the passphrase's place too.
  func readPassphrase(
    _ console: Console,
    insteadOf others: [Option] = []
  ) throws -> SecretBytes {
    let secret: SecretBytes
    if let passphrase {
      secret = try passphrase.read(allowsForeignOwner: false)
    } else {
      guard let terminal = console.terminal else {
        throw Failure.newPassphraseNeeded(
          [.newPassphraseFile, .newPassphraseDescriptor] + others
        )
      }
      let typed = try terminal.askTwice("New passphrase: ", again: "The same passphrase again: ")
      secret = try CredentialSource.passphrase(typed)
    }
    if secret.count < Self.advisedPassphraseLength {
      console.note(
        "the new passphrase is short, which makes it easy to guess; secretvault generate --words 6"
          + " makes a better one"
      )
    }
    return secret
  }

  /// Makes a recovery code and writes it to the file that was asked for, if one was.
  func recoveryCode(_ files: NewFiles) throws -> SecretBytes {
    let code = try Credential.makeRecoveryCode()
    if let recoveryCodeFile { try files.make(recoveryCodeFile, contents: code) }
    return code
  }

  private func contents(of keyFile: KeyFile, _ files: NewFiles) throws -> SecretBytes {
    switch keyFile {
    case .existing(let source): return try source.read(allowsForeignOwner: false)
    case .generated(let path):
      let line = try Credential.makeKeyFile()
      try files.make(path, contents: line)
      return line
    }
  }
}

/// The files that a command makes, which go again if what they are for fails.
final class NewFiles {
  private var paths: [String] = []

  /// Makes a private file; one that exists is a failure.
  func make(_ path: String, contents: SecretBytes) throws(Failure) {
    do throws(VaultError) {
      try contents.write(toNewPrivateFile: path)
    } catch {
      throw Failure(error).prefixed(with: TextEscaping.escaped(path))
    }
    paths.append(path)
  }

  /// Runs `body`, and removes the files if it fails.
  static func keptOnSuccess<R>(_ body: (NewFiles) throws -> R) throws -> R {
    let files = NewFiles()
    do {
      return try body(files)
    } catch {
      for path in files.paths { _ = unsafe unlink(path) }
      throw error
    }
  }
}

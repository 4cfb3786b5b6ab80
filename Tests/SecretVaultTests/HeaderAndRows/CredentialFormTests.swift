import Foundation
import Glibc
import SecretVault
import Testing

/// What passphrases, key files and recovery codes may look like, and what is refused before the vault is read.
@Suite("The forms of credentials")
struct CredentialFormTests {
  private let vault: TemporaryVault

  init() throws {
    vault = try TemporaryVault()
  }

  /// Makes a vault for a credential alone.
  private func create(_ credential: Credential) throws {
    var slot = SecretStore.NewSlot(credential)
    slot.log2N = 15
    try SecretStore.create(at: vault.path, protectedBy: [slot], options: vault.options).close()
  }

  @Test(
    "S-11: a passphrase is any 1 to 1024 bytes",
    arguments: [
      [0x61], [UInt8](repeating: 0x61, count: 1024), [0x61, 0x00, 0x62], [0xff, 0xfe, 0xc3],
    ]
  )
  func acceptedPassphrase(bytes: [UInt8]) throws {
    try create(.passphrase(SecretBytes(copying: bytes)))
    #expect(try vault.unlockingCode(.passphrase(SecretBytes(copying: bytes))) == nil)
    let shorter = Array(bytes.dropLast())
    if shorter.isEmpty { return }
    let code = try vault.unlockingCode(.passphrase(SecretBytes(copying: shorter)))
    #expect(code == .credentialRejected)
  }

  @Test("S-11: no bytes and more than 1024 bytes are refused", arguments: [0, 1025])
  func refusedPassphrase(count: Int) throws {
    let passphrase = Credential.passphrase(
      try SecretBytes(copying: [UInt8](repeating: 0x61, count: count))
    )
    #expect(throws: VaultError(.invalidArgument)) { try create(passphrase) }
    try vault.createClosed()
    #expect(try vault.unlockingCode(passphrase) == .invalidArgument)
  }

  @Test("S-11: composed and decomposed letters make different passphrases")
  func unnormalizedPassphrase() throws {
    try create(.passphrase(SecretBytes("caf\u{e9}")))
    #expect(try vault.unlockingCode(.passphrase(SecretBytes("cafe\u{301}"))) == .credentialRejected)
    #expect(try vault.unlockingCode(.passphrase(SecretBytes("caf\u{e9}"))) == nil)
  }

  @Test("S-13: a key file with any bit flipped is refused or opens nothing, and says so itself")
  func flippedKeyFile() throws {
    try vault.createClosed()
    let line = vault.keyFile.copied(as: [UInt8].self)
    let store = try vault.open()
    for bit in 0..<(line.count * 8) {
      var edited = line
      edited[bit / 8] ^= 1 << UInt8(bit % 8)
      let credential = Credential.keyFile(contents: try SecretBytes(copying: edited))
      let code = TemporaryVault.code { try store.unlock(with: credential) }
      #expect(code == .invalidArgument, "bit \(bit)")
    }
  }

  @Test("S-13: a key file with an extra line or without bytes is refused")
  func misshapenKeyFile() throws {
    try vault.createClosed()
    let line = vault.keyFile.copied(as: [UInt8].self)
    for contents in [line + line, line + [0x0a], [], Array(line.dropLast(2))] {
      let credential = Credential.keyFile(contents: try SecretBytes(copying: contents))
      #expect(try vault.unlockingCode(credential) == .invalidArgument)
    }
    let longer = try write(line + [0x0a], mode: 0o600)
    #expect(throws: VaultError(.limitExceeded)) { try Credential.keyFile(at: longer) }
    let whole = try write(line, mode: 0o600)
    #expect(try vault.unlockingCode(Credential.keyFile(at: whole)) == nil)
  }

  @Test(
    "S-13: a key file that others can read, a link, a pipe or a folder is refused at once",
    .timeLimit(.minutes(1))
  )
  func insecureKeyFile() throws {
    let line = vault.keyFile.copied(as: [UInt8].self)
    let file = try write(line, mode: 0o600)
    #expect(throws: VaultError(.insecureFile)) {
      try Credential.keyFile(at: write(line, mode: 0o644))
    }
    #expect(throws: VaultError(.insecureFile)) { try Credential.keyFile(at: vault.folder) }
    let link = vault.folder + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    #expect(throws: VaultError(.insecureFile)) { try Credential.keyFile(at: link) }
    let pipe = vault.folder + "/pipe"
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    #expect(throws: VaultError(.insecureFile)) { try Credential.keyFile(at: pipe) }
  }

  @Test("S-13: a key file of a gigabyte is refused without being read", .timeLimit(.minutes(1)))
  func hugeKeyFile() throws {
    let path = try write([], mode: 0o600)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.truncate(atOffset: 1 << 30)
    try file.close()
    #expect(throws: VaultError(.limitExceeded)) { try Credential.keyFile(at: path) }
  }

  @Test("S-14: a recovery code with a typing error is refused before the vault is read")
  func mistypedRecoveryCode() throws {
    let code = try Credential.makeRecoveryCode().copied(as: [UInt8].self)
    try create(.recoveryCode(SecretBytes(copying: code)))
    let store = try vault.open()
    try vault.raw().execute("UPDATE head SET record = zeroblob(96)")
    func error(_ text: [UInt8]) throws -> VaultError.Code? {
      let credential = Credential.recoveryCode(try SecretBytes(copying: text))
      return TemporaryVault.code { try store.unlock(with: credential) }
    }
    for index in code.indices where code[index] != UInt8(ascii: "-") {
      var wrong = code
      wrong[index] = code[index] == UInt8(ascii: "7") ? UInt8(ascii: "8") : UInt8(ascii: "7")
      #expect(try error(wrong) == .invalidArgument, "letter \(index)")
    }
    let swapped = code[6..<12] + code[..<6] + code[12...]
    #expect(try error(Array(swapped)) == .invalidArgument)
    // A right code goes on to the vault, which is destroyed.
    #expect(try error(code) == .notAVault)
  }

  @Test("S-14: a recovery code is read in either case, and with the letters that digits look like")
  func tolerantRecoveryCode() throws {
    let code = try Credential.makeRecoveryCode().copied(as: [UInt8].self)
    try create(.recoveryCode(SecretBytes(copying: code)))
    let text = String(decoding: code, as: UTF8.self)
    let written = [
      text.lowercased(),
      text.replacingOccurrences(of: "0", with: "O").replacingOccurrences(of: "1", with: "I"),
      text.replacingOccurrences(of: "0", with: "o").replacingOccurrences(of: "1", with: "l"),
    ]
    for text in written {
      #expect(try vault.unlockingCode(.recoveryCode(SecretBytes(text))) == nil)
    }
  }

  /// Writes a file of a new name and returns its path.
  private func write(_ bytes: [UInt8], mode: Int) throws -> String {
    let path = vault.folder + "/" + UUID().uuidString
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }
}

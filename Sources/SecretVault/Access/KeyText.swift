import SecretMemory
import VaultCrypto
import VaultFormat

/// The printed forms of keys: key files, recovery codes and the device key's file.
enum KeyText {
  private static let keyRange = 0..<SecretKey.byteCount
  private static let recoveryRange = 0..<20

  /// Reads a key file's line.
  static func fileKey(_ line: SecretBytes) throws(VaultError) -> Key<Role.File> {
    try key(line, magic: .keyFile)
  }

  /// Reads the line of a device key's file.
  static func deviceKey(_ line: SecretBytes) throws(VaultError) -> Key<Role.Device> {
    try key(line, magic: .deviceKey)
  }

  /// Reads a recovery code.
  static func recoveryKey(_ text: SecretBytes) throws(VaultError) -> Key<Role.File> {
    try translatingErrors { () throws(any Error) in
      var decoded = try LockedBuffer(count: RecoveryCode.byteCount)
      try decoded.withMutableBytes { output throws(FormatError) in
        try text.withBytes { text throws(FormatError) in
          try RecoveryCode.decode(text, into: &output)
        }
      }
      return try decoded.withBytes { bytes throws(any Error) in
        let random = bytes.extracting(recoveryRange)
        let check: InlineArray<5, UInt8> = try SHA512.check(.recovery, random)
        guard ConstantTime.equal(check.span, bytes.extracting(recoveryRange.upperBound...))
        else { throw FormatError.checkFailed }
        return try Key<Role.File>.recovery(random)
      }
    }
  }

  /// Writes a fresh key file's line.
  static func makeLine(
    magic: KeyFile.Magic,
    random source: RandomSource
  ) throws(VaultError) -> SecretBytes {
    try translatingErrors { () throws(any Error) in
      var key = try LockedBuffer(count: KeyFile.keyByteCount)
      try fill(&key, randomRange: keyRange, check: .keyFile, checkByteCount: 8, from: source)
      var line = try LockedBuffer(count: KeyFile.lineByteCount)
      try line.withMutableBytes { output throws(FormatError) in
        try key.withBytes { key throws(FormatError) in
          try KeyFile.encode(key, magic: magic, into: &output)
        }
      }
      return SecretBytes(line)
    }
  }

  /// Writes a fresh recovery code.
  static func makeRecoveryCode(random source: RandomSource) throws(VaultError) -> SecretBytes {
    try translatingErrors { () throws(any Error) in
      var code = try LockedBuffer(count: RecoveryCode.byteCount)
      try fill(&code, randomRange: recoveryRange, check: .recovery, checkByteCount: 5, from: source)
      var text = try LockedBuffer(count: RecoveryCode.textByteCount)
      try text.withMutableBytes { output throws(FormatError) in
        try code.withBytes { code throws(FormatError) in
          try RecoveryCode.encode(code, into: &output)
        }
      }
      return SecretBytes(text)
    }
  }

  private static func key<Purpose: KeyRole>(
    _ line: SecretBytes,
    magic: KeyFile.Magic
  ) throws(VaultError) -> Key<Purpose> {
    try translatingErrors { () throws(any Error) in
      var decoded = try LockedBuffer(count: KeyFile.keyByteCount)
      try decoded.withMutableBytes { output throws(FormatError) in
        try line.withBytes { line throws(FormatError) in
          try KeyFile.decode(line, magic: magic, into: &output)
        }
      }
      return try decoded.withBytes { bytes throws(any Error) in
        let key = bytes.extracting(keyRange)
        let check: InlineArray<8, UInt8> = try SHA512.check(.keyFile, key)
        guard ConstantTime.equal(check.span, bytes.extracting(keyRange.upperBound...))
        else { throw FormatError.checkFailed }
        return try Key<Purpose>(copying: key)
      }
    }
  }

  private static func fill(
    _ buffer: inout LockedBuffer,
    randomRange: Range<Int>,
    check label: Label,
    checkByteCount: Int,
    from source: RandomSource
  ) throws(CryptoError) {
    try buffer.withMutableBytes { bytes throws(CryptoError) in
      try source.fill(&bytes)
      let check: InlineArray<8, UInt8> = try SHA512.check(
        label,
        bytes.span.extracting(randomRange)
      )
      for index in 0..<checkByteCount { bytes[randomRange.upperBound + index] = check[index] }
    }
  }

  /// A malformed text is the caller's to correct, and is told before any vault is read.
  private static func translatingErrors<Result: ~Copyable>(
    _ body: () throws(any Error) -> Result
  ) throws(VaultError) -> Result {
    do {
      return try body()
    } catch let error as FormatError {
      let message =
        error == .checkFailed
        ? "the key or recovery code has a wrong character; compare it with the original"
        : "this is no key file or recovery code; check what was given"
      throw VaultError(.invalidArgument, message)
    } catch {
      throw VaultError(translating: error)
    }
  }
}

extension Credential {
  /// Makes the contents of a fresh key file: one line with its newline, from 32 random bytes.
  ///
  /// - Throws: ``VaultError``.
  public static func makeKeyFile() throws(VaultError) -> SecretBytes {
    try KeyText.makeLine(magic: .keyFile, random: .system)
  }

  /// Makes a fresh recovery code: 47 characters from 20 random bytes.
  ///
  /// - Throws: ``VaultError``.
  public static func makeRecoveryCode() throws(VaultError) -> SecretBytes {
    try KeyText.makeRecoveryCode(random: .system)
  }
}

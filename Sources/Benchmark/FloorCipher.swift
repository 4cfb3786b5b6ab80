import COpenSSL
import Glibc

/// AES-256-GCM and HMAC-SHA256 over contexts that are keyed once and reused.
///
/// Keys are constants: only their use is measured. A sealed text is nonce, ciphertext, tag; the lookup of
/// its row is its associated data.
@safe
final class FloorCipher {
  /// The size of a lookup, in bytes.
  static let lookupByteCount = 32
  /// What sealing adds: a nonce of 12 bytes and a tag of 16.
  static let overheadByteCount = nonceByteCount + tagByteCount

  private static let nonceByteCount = 12
  private static let tagByteCount = 16
  private static let poolByteCount = 4096

  private let sealing: OpaquePointer
  private let opening: OpaquePointer
  private let hmac: OpaquePointer
  private let pool = UnsafeMutablePointer<UInt8>.allocate(capacity: poolByteCount)
  private var poolLeft = 0

  init(generation: UInt8 = 0) throws(BenchmarkError) {
    let encryptionKey = [UInt8](repeating: 0x11 + generation, count: 32)
    let lookupKey = [UInt8](repeating: 0x22 + generation, count: 32)
    guard let sealing = unsafe EVP_CIPHER_CTX_new(), let opening = unsafe EVP_CIPHER_CTX_new(),
      let algorithm = unsafe EVP_MAC_fetch(nil, "HMAC", nil),
      let hmac = unsafe EVP_MAC_CTX_new(algorithm)
    else { throw .cryptography }
    unsafe EVP_MAC_free(algorithm)
    unsafe self.sealing = sealing
    unsafe self.opening = opening
    unsafe self.hmac = hmac
    let isKeyed =
      unsafe EVP_EncryptInit_ex(sealing, EVP_aes_256_gcm(), nil, encryptionKey, nil) == 1
      && EVP_DecryptInit_ex(opening, EVP_aes_256_gcm(), nil, encryptionKey, nil) == 1
      && secretvault_mac_set_digest(hmac, "SHA256") == 1
      && EVP_MAC_init(hmac, lookupKey, lookupKey.count, nil) == 1
    guard isKeyed else { throw .cryptography }
  }

  deinit {
    unsafe EVP_CIPHER_CTX_free(sealing)
    unsafe EVP_CIPHER_CTX_free(opening)
    unsafe EVP_MAC_CTX_free(hmac)
    unsafe pool.deallocate()
  }

  /// Writes the lookup of an item: the HMAC of service, a bar, and account.
  func lookup(
    of names: Names,
    into output: UnsafeMutablePointer<UInt8>
  ) throws(BenchmarkError) {
    var written = 0
    var bar = UInt8(ascii: "|")
    let isDone =
      unsafe EVP_MAC_init(hmac, nil, 0, nil) == 1
      && EVP_MAC_update(hmac, names.service, names.service.count) == 1
      && EVP_MAC_update(hmac, &bar, 1) == 1
      && EVP_MAC_update(hmac, names.account, names.account.count) == 1
      && EVP_MAC_final(hmac, output, &written, Self.lookupByteCount) == 1
    guard isDone else { throw .cryptography }
  }

  /// Seals a text under a fresh random nonce and returns the size of what was written.
  func seal(
    _ plaintext: UnsafePointer<UInt8>,
    count: Int32,
    lookup: UnsafePointer<UInt8>,
    into output: UnsafeMutablePointer<UInt8>
  ) throws(BenchmarkError) -> Int32 {
    unsafe nextNonce(into: output)
    let body = unsafe output + Self.nonceByteCount
    var written: Int32 = 0
    let isDone =
      unsafe EVP_EncryptInit_ex(sealing, nil, nil, nil, output) == 1
      && EVP_EncryptUpdate(sealing, nil, &written, lookup, Int32(Self.lookupByteCount)) == 1
      && EVP_EncryptUpdate(sealing, body, &written, plaintext, count) == 1
      && EVP_EncryptFinal_ex(sealing, body + Int(written), &written) == 1
      && EVP_CIPHER_CTX_ctrl(
        sealing,
        EVP_CTRL_AEAD_GET_TAG,
        Int32(Self.tagByteCount),
        body + Int(count)
      ) == 1
    guard isDone else { throw .cryptography }
    return count + Int32(Self.overheadByteCount)
  }

  /// Opens a sealed text and returns the size of the plaintext.
  func open(
    _ sealed: UnsafePointer<UInt8>,
    count: Int32,
    lookup: UnsafePointer<UInt8>,
    into output: UnsafeMutablePointer<UInt8>
  ) throws(BenchmarkError) -> Int32 {
    let bodyCount = count - Int32(Self.overheadByteCount)
    guard bodyCount >= 0 else { throw .cryptography }
    let body = unsafe sealed + Self.nonceByteCount
    var written: Int32 = 0
    let isAuthentic =
      unsafe EVP_DecryptInit_ex(opening, nil, nil, nil, sealed) == 1
      && secretvault_set_gcm_tag(opening, body + Int(bodyCount), Int32(Self.tagByteCount)) == 1
      && EVP_DecryptUpdate(opening, nil, &written, lookup, Int32(Self.lookupByteCount)) == 1
      && EVP_DecryptUpdate(opening, output, &written, body, bodyCount) == 1
      && EVP_DecryptFinal_ex(opening, output + Int(written), &written) == 1
    guard isAuthentic else { throw .cryptography }
    return bodyCount
  }

  /// Nonces are public, so they are drawn in bulk: one system call for 341 of them.
  private func nextNonce(into output: UnsafeMutablePointer<UInt8>) {
    if poolLeft < Self.nonceByteCount {
      unsafe arc4random_buf(pool, Self.poolByteCount)
      poolLeft = Self.poolByteCount
    }
    poolLeft -= Self.nonceByteCount
    unsafe output.update(from: pool + poolLeft, count: Self.nonceByteCount)
  }
}

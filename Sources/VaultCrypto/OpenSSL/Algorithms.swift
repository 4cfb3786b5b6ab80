import COpenSSL

/// libcrypto's algorithms, fetched once for the process, since a fetch costs more than a small seal.
///
/// `nonisolated(unsafe)` holds because the objects are immutable once fetched, and libcrypto shares
/// them between threads by counting references.
enum Algorithms {
  nonisolated(unsafe) static let aes256GCM = unsafe EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)
  nonisolated(unsafe) static let sha256 = unsafe EVP_MD_fetch(nil, "SHA2-256", nil)
  nonisolated(unsafe) static let sha512 = unsafe EVP_MD_fetch(nil, "SHA2-512", nil)
  nonisolated(unsafe) static let scrypt = unsafe EVP_KDF_fetch(nil, "SCRYPT", nil)
}

import Glibc
import SecretVault
import Synchronization

/// What the process asked of libcrypto.
private struct CallCounts {
  var derivations = 0
  var comparisons = 0
  var comparedByteCount = 0
  var authenticatedByteCount = 0
  var decryptions = 0
}

private let counts = Mutex(CallCounts())

extension WorkingVault {
  /// Unlocks with a passphrase from a file, and prints how that ended and what libcrypto was asked for.
  func countCalls(unlockingWith file: String) throws {
    let store = try open()
    let passphrase = try passphrase(in: file)
    counts.withLock { $0 = CallCounts() }
    var outcome = "unlocked"
    do { try store.unlock(with: .passphrase(passphrase)) } catch { outcome = error.description }
    let counts = counts.withLock { $0 }
    print(outcome)
    print("derivations \(counts.derivations)")
    print("comparisons \(counts.comparisons) of \(counts.comparedByteCount) bytes")
    print("authenticated \(counts.authenticatedByteCount) bytes")
    print("decryptions \(counts.decryptions)")
  }
}

// The functions below have the names of libcrypto's, so that the library in this program calls them
// instead. Each counts and passes the call on to the next function of that name.

/// Finds libcrypto's own function, which is the next after this program's (`RTLD_NEXT` is -1).
private func next<Function>(_ name: String, as type: Function.Type) -> Function? {
  unsafe dlsym(UnsafeMutableRawPointer(bitPattern: -1), name).map { symbol in
    unsafe unsafeBitCast(symbol, to: type)
  }
}

private typealias Compare =
  @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, Int) -> Int32

@_cdecl("CRYPTO_memcmp")
func countedCompare(_ left: UnsafeRawPointer?, _ right: UnsafeRawPointer?, _ count: Int) -> Int32 {
  counts.withLock { counts in
    counts.comparisons += 1
    counts.comparedByteCount += count
  }
  guard let compare = unsafe next("CRYPTO_memcmp", as: Compare.self) else { return 1 }
  return unsafe compare(left, right, count)
}

private typealias Derive =
  @convention(c) (OpaquePointer?, UnsafeMutablePointer<UInt8>?, Int, OpaquePointer?) -> Int32

@_cdecl("EVP_KDF_derive")
func countedDerive(
  _ context: OpaquePointer?,
  _ output: UnsafeMutablePointer<UInt8>?,
  _ count: Int,
  _ parameters: OpaquePointer?
) -> Int32 {
  counts.withLock { $0.derivations += 1 }
  guard let derive = unsafe next("EVP_KDF_derive", as: Derive.self) else { return 0 }
  return unsafe derive(context, output, count, parameters)
}

private typealias Authenticate =
  @convention(c) (OpaquePointer?, UnsafePointer<UInt8>?, Int) -> Int32

@_cdecl("EVP_MAC_update")
func countedAuthenticate(
  _ context: OpaquePointer?,
  _ bytes: UnsafePointer<UInt8>?,
  _ count: Int
) -> Int32 {
  counts.withLock { $0.authenticatedByteCount += count }
  guard let update = unsafe next("EVP_MAC_update", as: Authenticate.self) else { return 0 }
  return unsafe update(context, bytes, count)
}

private typealias Decrypt =
  @convention(c) (
    OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int32>?,
    UnsafePointer<UInt8>?, Int32
  ) -> Int32

@_cdecl("EVP_DecryptUpdate")
func countedDecrypt(
  _ context: OpaquePointer?,
  _ output: UnsafeMutablePointer<UInt8>?,
  _ written: UnsafeMutablePointer<Int32>?,
  _ bytes: UnsafePointer<UInt8>?,
  _ count: Int32
) -> Int32 {
  counts.withLock { $0.decryptions += 1 }
  guard let update = unsafe next("EVP_DecryptUpdate", as: Decrypt.self) else { return 0 }
  return unsafe update(context, output, written, bytes, count)
}

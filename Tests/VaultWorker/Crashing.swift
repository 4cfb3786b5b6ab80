import Glibc
import SecretVault

extension WorkingVault {
  /// Crashes while the secret of an item is held: by `abort`, or by `trap` with the secret's address in a
  /// register; `hardened` as every program of the house starts, or `bare`.
  func crash(_ way: String, _ protection: String, holding service: String) throws {
    if protection == "hardened" { ProcessHardening.apply() }
    let store = try openUnlocked()
    guard let secret = try store.secret(for: ItemIdentity(service: service)) else { return }
    // On the ordinary heap, so that a core or a report that holds nothing of this holds nothing at all.
    let marker = Array("an ordinary buffer of the program".utf8)
    secret.withBytes { bytes in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        if way == "abort" { abort() }
        guard let start = bytes.baseAddress else { return }
        print(unsafe trap(at: start))
      }
    }
    print(marker.count)
  }

  /// Traps right after the byte at an address was read, so that the address is still in a register.
  @inline(never)
  private func trap(at address: UnsafePointer<UInt8>) -> Int {
    unsafe Int.max + Int(address.pointee)
  }
}

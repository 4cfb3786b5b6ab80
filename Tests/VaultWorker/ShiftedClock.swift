import Glibc
import SecretVault

extension WorkingVault {
  /// Stores an item that expires some seconds from now, and prints its version and dates.
  func keep(_ service: String, expiringAfter seconds: UInt64) throws {
    let store = try openUnlocked()
    var item = SecretItem(identity: ItemIdentity(service: service))
    let now = Timestamp.now.millisecondsSince1970
    item.expires = Timestamp(millisecondsSince1970: now + seconds * 1000)
    try store.transaction { try $0.set(item, secret: SecretBytes(copying: Array("token".utf8))) }
    try describe(service, in: store)
    store.close()
  }

  /// Prints the version and the dates of an item, and whether its secret is given out.
  func read(_ service: String) throws {
    let store = try openUnlocked()
    try describe(service, in: store)
    store.close()
  }

  private func describe(_ service: String, in store: SecretStore) throws {
    let identity = ItemIdentity(service: service)
    guard let item = try store.item(for: identity) else { return print("nothing") }
    print("version \(item.version)")
    print("modified \(item.modified?.millisecondsSince1970 ?? 0)")
    do {
      print(try store.secret(for: identity)?.copiedAsString() ?? "no secret")
    } catch {
      print(error.code)
    }
    for notice in store.takeNotices() { print(notice) }
  }
}

private typealias ReadClock =
  @convention(c) (clockid_t, UnsafeMutablePointer<timespec>?) -> Int32

/// The next function of this name, which is the C library's (`RTLD_NEXT` is -1).
private let readClock: ReadClock? = unsafe dlsym(
  UnsafeMutableRawPointer(bitPattern: -1),
  "clock_gettime"
)
.map { symbol in unsafe unsafeBitCast(symbol, to: ReadClock.self) }

/// How far the wall clock of this process is from the real one, in seconds.
private let shift = unsafe getenv("SHIFTED_CLOCK").flatMap { unsafe Int(String(cString: $0)) } ?? 0

/// Takes the place of the C library's function in this program and shifts the wall clock.
@_cdecl("clock_gettime")
func shiftedClock(_ clock: clockid_t, _ time: UnsafeMutablePointer<timespec>?) -> Int32 {
  guard let readClock = unsafe readClock else { return -1 }
  let result = unsafe readClock(clock, time)
  if clock == CLOCK_REALTIME, let time = unsafe time { unsafe time.pointee.tv_sec += shift }
  return result
}

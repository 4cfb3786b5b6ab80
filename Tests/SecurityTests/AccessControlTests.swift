import Security
import Testing

@Suite("Access controls")
struct AccessControlTests {
  private func make(
    _ protection: CFTypeRef,
    _ flags: SecAccessControlCreateFlags
  ) -> SecAccessControl? {
    SecAccessControlCreateWithFlags(nil, protection, flags, nil)
  }

  @Test("the flags have Apple's bits, under their old names too")
  func bits() {
    #expect(SecAccessControlCreateFlags.userPresence.rawValue == 1)
    #expect(SecAccessControlCreateFlags.biometryAny.rawValue == 2)
    #expect(SecAccessControlCreateFlags.biometryCurrentSet.rawValue == 8)
    #expect(SecAccessControlCreateFlags.devicePasscode.rawValue == 16)
    #expect(SecAccessControlCreateFlags.companion.rawValue == 32)
    #expect(SecAccessControlCreateFlags.or.rawValue == 0x4000)
    #expect(SecAccessControlCreateFlags.and.rawValue == 0x8000)
    #expect(SecAccessControlCreateFlags.privateKeyUsage.rawValue == 0x4000_0000)
    #expect(SecAccessControlCreateFlags.applicationPassword.rawValue == 0x8000_0000)
    #expect(SecAccessControlCreateFlags.touchIDAny == .biometryAny)
    #expect(SecAccessControlCreateFlags.touchIDCurrentSet == .biometryCurrentSet)
    #expect(SecAccessControlCreateFlags.watch == .companion)
  }

  @Test("each accessibility class makes an access control, given as text of either kind")
  func classes() {
    #expect(make(kSecAttrAccessibleWhenUnlocked, []) != nil)
    #expect(make("cku" as CFTypeRef, .userPresence) != nil)
    #expect(make("cku" as CFString, .userPresence) != nil)
  }

  @Test("two with the same contents are equal, and keys of one entry")
  func equality() throws {
    let one = try #require(make(kSecAttrAccessibleWhenUnlocked, [.devicePasscode, .or]))
    let same = try #require(make("ak" as CFTypeRef, [.or, .devicePasscode]))
    let other = try #require(make(kSecAttrAccessibleWhenUnlocked, []))
    let otherClass = try #require(make(kSecAttrAccessibleAfterFirstUnlock, [.devicePasscode, .or]))
    #expect(one == same)
    #expect(one.hash == same.hash)
    #expect(one != other)
    #expect(one != otherClass)
    let query: [String: AnyHashable] = [kSecAttrAccessControl as String: one]
    #expect(query == [kSecAttrAccessControl as String: same])
    #expect((query as CFDictionary)[kSecAttrAccessControl] as? SecAccessControl == one)
  }

  private static let refused: [(protection: String, flags: SecAccessControlCreateFlags)] = [
    ("when unlocked", []), ("ak", [.or, .and]), ("", .userPresence),
    ("ak", SecAccessControlCreateFlags(rawValue: 1 << 2)),
  ]

  @Test(
    "what is no access control gives none, and an error that the caller owns",
    arguments: refused
  )
  func refusals(protection: String, flags: SecAccessControlCreateFlags) throws {
    var error: Unmanaged<CFError>?
    let result = unsafe SecAccessControlCreateWithFlags(
      kCFAllocatorDefault,
      protection as CFTypeRef,
      flags,
      &error
    )
    #expect(result == nil)
    let refusal = try #require(unsafe error?.takeRetainedValue())
    #expect(CFErrorGetDomain(refusal) == kCFErrorDomainOSStatus)
    #expect(CFErrorGetCode(refusal) == -50)
    #expect(CFErrorCopyUserInfo(refusal) as? [String: String] == [:])
  }

  @Test("an object of another type is no protection")
  func otherType() {
    #expect(make(NSNumber(value: 6), []) == nil)
  }
}

import Security
import Testing

@Suite("Status codes")
struct ErrorCodeTests {
  @Test("every code has Apple's number")
  func numbers() {
    let numbers: [(code: OSStatus, number: Int32)] = [
      (noErr, 0),
      (errSecSuccess, 0),
      (errSecUnimplemented, -4),
      (errSecDiskFull, -34),
      (errSecIO, -36),
      (errSecOpWr, -49),
      (errSecParam, -50),
      (errSecWrPerm, -61),
      (errSecAllocate, -108),
      (errSecUserCanceled, -128),
      (errSecBadReq, -909),
      (errSecInternalComponent, -2_070),
      (errSecMissingEntitlement, -34_018),
      (errSecUpgradePending, -34_019),
      (errSecRestrictedAPI, -34_020),
      (errSecNotAvailable, -25_291),
      (errSecReadOnly, -25_292),
      (errSecAuthFailed, -25_293),
      (errSecNoSuchKeychain, -25_294),
      (errSecInvalidKeychain, -25_295),
      (errSecDuplicateKeychain, -25_296),
      (errSecDuplicateItem, -25_299),
      (errSecItemNotFound, -25_300),
      (errSecBufferTooSmall, -25_301),
      (errSecDataTooLarge, -25_302),
      (errSecNoSuchAttr, -25_303),
      (errSecInvalidItemRef, -25_304),
      (errSecInvalidSearchRef, -25_305),
      (errSecNoSuchClass, -25_306),
      (errSecNoDefaultKeychain, -25_307),
      (errSecInteractionNotAllowed, -25_308),
      (errSecReadOnlyAttr, -25_309),
      (errSecInteractionRequired, -25_315),
      (errSecDataNotAvailable, -25_316),
      (errSecDataNotModifiable, -25_317),
      (errSecNoAccessForItem, -25_243),
      (errSecInvalidOwnerEdit, -25_244),
      (errSecDecode, -26_275),
      (errSecInternal, -26_276),
      (errSecAuthNeeded, -25_330),
      (errSecServiceNotAvailable, -67_585),
      (errSecInvalidEncoding, -67_853),
    ]
    for (code, number) in numbers { #expect(code == number) }
  }

  @Test("a code with a text gives the text, and success too")
  func texts() {
    #expect(message(errSecItemNotFound) == "The specified item could not be found in the keychain.")
    #expect(message(errSecDuplicateItem) == "The specified item already exists in the keychain.")
    #expect(message(errSecSuccess) == "No error.")
    #expect(message(errSecMissingEntitlement) == "A required entitlement isn't present.")
  }

  @Test("a code without a text gives its number")
  func numbersAsTexts() {
    #expect(message(errSecInternalComponent) == "OSStatus -2070")
    #expect(message(12_345) == "OSStatus 12345")
    #expect(message(.min) == "OSStatus -2147483648")
  }

  @Test("the codes stand in a switch, and for errors")
  func patterns() {
    let status: OSStatus = -25_300
    switch status {
    case errSecSuccess, noErr: Issue.record("not this one")
    case errSecItemNotFound: break
    default: Issue.record("nor this")
    }
  }

  private func message(_ status: OSStatus) -> String? {
    SecCopyErrorMessageString(status, nil) as String?
  }
}

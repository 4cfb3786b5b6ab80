// The functions have Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// Says in English what a status means, or `OSStatus` and its number where it has no text.
///
/// The text says nothing of the item.
///
/// - Parameters:
///   - status: The status of a call.
///   - reserved: `nil`.
/// - Returns: The text, never `nil`.
public func SecCopyErrorMessageString(
  _ status: OSStatus,
  _ reserved: UnsafeMutableRawPointer?
) -> CFString? {
  NSString(string: messages[status] ?? "OSStatus \(status)")
}

private let messages: [OSStatus: String] = [
  errSecSuccess: "No error.",
  errSecUnimplemented: "Function or operation not implemented.",
  errSecDiskFull: "The disk is full.",
  errSecIO: "I/O error.",
  errSecOpWr: "File already open with write permission.",
  errSecParam: "One or more parameters passed to a function were not valid.",
  errSecWrPerm: "Write permissions error.",
  errSecAllocate: "Failed to allocate memory.",
  errSecUserCanceled: "User canceled the operation.",
  errSecBadReq: "Bad parameter or invalid state for operation.",
  errSecMissingEntitlement: "A required entitlement isn't present.",
  errSecUpgradePending: "The keychain must be upgraded before it can be used.",
  errSecRestrictedAPI: "Client is restricted and is not permitted to perform this operation.",
  errSecNotAvailable: "No keychain is available. You may need to restart your computer.",
  errSecReadOnly: "This keychain cannot be modified.",
  errSecAuthFailed: "The user name or passphrase you entered is not correct.",
  errSecNoSuchKeychain: "The specified keychain could not be found.",
  errSecInvalidKeychain: "The specified keychain is not a valid keychain file.",
  errSecDuplicateKeychain: "A keychain with the same name already exists.",
  errSecDuplicateItem: "The specified item already exists in the keychain.",
  errSecItemNotFound: "The specified item could not be found in the keychain.",
  errSecBufferTooSmall: "There is not enough memory available to use the specified item.",
  errSecDataTooLarge:
    "This item contains information which is too large or in a format that cannot be displayed.",
  errSecNoSuchAttr: "The specified attribute does not exist.",
  errSecInvalidItemRef:
    "The specified item is no longer valid. It may have been deleted from the keychain.",
  errSecInvalidSearchRef: "Unable to search the current keychain.",
  errSecNoSuchClass: "The specified item does not appear to be a valid keychain item.",
  errSecNoDefaultKeychain: "A default keychain could not be found.",
  errSecInteractionNotAllowed: "User interaction is not allowed.",
  errSecReadOnlyAttr: "The specified attribute could not be modified.",
  errSecInteractionRequired: "User interaction is required, but is currently not allowed.",
  errSecDataNotAvailable: "The contents of this item cannot be retrieved.",
  errSecDataNotModifiable: "The contents of this item cannot be modified.",
  errSecNoAccessForItem: "The specified item has no access control.",
  errSecInvalidOwnerEdit: "Invalid attempt to change the owner of this item.",
  errSecDecode: "Unable to decode the provided data.",
  errSecInternal: "An internal error occurred.",
  errSecAuthNeeded: "Authentication is needed first.",
  errSecServiceNotAvailable: "The required service is not available.",
  errSecInvalidEncoding: "The encoding was not valid.",
]

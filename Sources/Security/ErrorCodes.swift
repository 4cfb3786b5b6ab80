// The numbers of ``OSStatus``, as Apple has them.

/// The call did what it was asked, in the older word.
public let noErr: OSStatus = 0

/// The call did what it was asked.
public let errSecSuccess: OSStatus = 0

/// The call, or something it was asked for, is not offered.
public let errSecUnimplemented: OSStatus = -4

/// The disk is full.
public let errSecDiskFull: OSStatus = -34

/// Reading or writing failed.
public let errSecIO: OSStatus = -36

/// The file is open for writing already.
public let errSecOpWr: OSStatus = -49

/// Something in the dictionaries, or their mix, is not valid.
public let errSecParam: OSStatus = -50

/// Writing is not permitted.
public let errSecWrPerm: OSStatus = -61

/// There is no memory left.
public let errSecAllocate: OSStatus = -108

/// A person cancelled.
public let errSecUserCanceled: OSStatus = -128

/// The request is bad, or comes at the wrong time.
public let errSecBadReq: OSStatus = -909

/// A part of the keychain failed.
public let errSecInternalComponent: OSStatus = -2_070

/// The access group is not one of the program's, or it has none.
public let errSecMissingEntitlement: OSStatus = -34_018

/// The store is to be upgraded first.
public let errSecUpgradePending: OSStatus = -34_019

/// The program may not make this call.
public let errSecRestrictedAPI: OSStatus = -34_020

/// The vault cannot be reached, or is damaged.
public let errSecNotAvailable: OSStatus = -25_291

/// The vault cannot be written.
public let errSecReadOnly: OSStatus = -25_292

/// The credential, or a person, was refused.
public let errSecAuthFailed: OSStatus = -25_293

/// There is no such keychain.
public let errSecNoSuchKeychain: OSStatus = -25_294

/// The file is no keychain.
public let errSecInvalidKeychain: OSStatus = -25_295

/// There is such a keychain already.
public let errSecDuplicateKeychain: OSStatus = -25_296

/// There is such an item already.
public let errSecDuplicateItem: OSStatus = -25_299

/// No item is as the query says.
public let errSecItemNotFound: OSStatus = -25_300

/// The memory given is too small.
public let errSecBufferTooSmall: OSStatus = -25_301

/// The value is too large.
public let errSecDataTooLarge: OSStatus = -25_302

/// The class has no such attribute.
public let errSecNoSuchAttr: OSStatus = -25_303

/// The reference is to an item that is gone.
public let errSecInvalidItemRef: OSStatus = -25_304

/// The search is not valid.
public let errSecInvalidSearchRef: OSStatus = -25_305

/// There is no such class.
public let errSecNoSuchClass: OSStatus = -25_306

/// There is no default keychain.
public let errSecNoDefaultKeychain: OSStatus = -25_307

/// The item is locked, and the call may not ask a person.
public let errSecInteractionNotAllowed: OSStatus = -25_308

/// The attribute cannot be changed.
public let errSecReadOnlyAttr: OSStatus = -25_309

/// A person must be asked.
public let errSecInteractionRequired: OSStatus = -25_315

/// The value cannot be given.
public let errSecDataNotAvailable: OSStatus = -25_316

/// The value cannot be changed.
public let errSecDataNotModifiable: OSStatus = -25_317

/// The item has no access control.
public let errSecNoAccessForItem: OSStatus = -25_243

/// The owner cannot be changed so.
public let errSecInvalidOwnerEdit: OSStatus = -25_244

/// The stored bytes cannot be understood.
public let errSecDecode: OSStatus = -26_275

/// Something failed inside of the keychain.
public let errSecInternal: OSStatus = -26_276

/// A person must be asked first.
public let errSecAuthNeeded: OSStatus = -25_330

/// The service is not available.
public let errSecServiceNotAvailable: OSStatus = -67_585

/// The encoding is not valid.
public let errSecInvalidEncoding: OSStatus = -67_853

// The class of an item, and the key that names it. (Immutable texts, though NSString is not
// declared Sendable.)

public import Foundation

/// Names the class of the item or of the query.
@safe nonisolated(unsafe) public let kSecClass: CFString = "class"

/// The class of passwords that have a service and an account.
@safe nonisolated(unsafe) public let kSecClassGenericPassword: CFString = "genp"

/// The class of passwords that have a server and an account.
@safe nonisolated(unsafe) public let kSecClassInternetPassword: CFString = "inet"

/// The class of certificates; no call accepts it here.
@safe nonisolated(unsafe) public let kSecClassCertificate: CFString = "cert"

/// The class of cryptographic keys; no call accepts it here.
@safe nonisolated(unsafe) public let kSecClassKey: CFString = "keys"

/// The class of a key with its certificate; no call accepts it here.
@safe nonisolated(unsafe) public let kSecClassIdentity: CFString = "idnt"

/// The password in a dictionary of shared web credentials, which are not offered here.
@safe nonisolated(unsafe) public let kSecSharedPassword: CFString = "spwd"

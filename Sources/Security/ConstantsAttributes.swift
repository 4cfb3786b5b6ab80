// The attributes of passwords. The string of each has four characters, the name of its column.
// (Immutable texts, though NSString is not declared Sendable.)

public import Foundation

/// The account: text, data or a number; part of what makes an item unique.
@safe nonisolated(unsafe) public let kSecAttrAccount: CFString = "acct"

/// The service of a generic password; part of what makes it unique.
@safe nonisolated(unsafe) public let kSecAttrService: CFString = "svce"

/// The access group of the item.
@safe nonisolated(unsafe) public let kSecAttrAccessGroup: CFString = "agrp"

/// Whether the item is a synchronized one; part of what makes an item unique.
@safe nonisolated(unsafe) public let kSecAttrSynchronizable: CFString = "sync"

/// In a query, synchronized items and others.
@safe nonisolated(unsafe) public let kSecAttrSynchronizableAny: CFString = "syna"

/// When the item can be used; see the `kSecAttrAccessible…` values.
@safe nonisolated(unsafe) public let kSecAttrAccessible: CFString = "pdmn"

/// When and how the item can be used, as a ``SecAccessControl``.
@safe nonisolated(unsafe) public let kSecAttrAccessControl: CFString = "accc"

/// The name shown to people.
@safe nonisolated(unsafe) public let kSecAttrLabel: CFString = "labl"

/// The kind of the item, for people.
@safe nonisolated(unsafe) public let kSecAttrDescription: CFString = "desc"

/// A comment, for people.
@safe nonisolated(unsafe) public let kSecAttrComment: CFString = "icmt"

/// A generic password's own data; never part of what makes it unique.
@safe nonisolated(unsafe) public let kSecAttrGeneric: CFString = "gena"

/// The creator, as a number.
@safe nonisolated(unsafe) public let kSecAttrCreator: CFString = "crtr"

/// The type, as a number.
@safe nonisolated(unsafe) public let kSecAttrType: CFString = "type"

/// Whether the item is to be hidden from people.
@safe nonisolated(unsafe) public let kSecAttrIsInvisible: CFString = "invi"

/// Whether the item stands for a password that was not saved.
@safe nonisolated(unsafe) public let kSecAttrIsNegative: CFString = "nega"

/// An alias, of the older keychain.
@safe nonisolated(unsafe) public let kSecAttrAlias: CFString = "alis"

/// When the item was made.
@safe nonisolated(unsafe) public let kSecAttrCreationDate: CFString = "cdat"

/// When the item was last changed.
@safe nonisolated(unsafe) public let kSecAttrModificationDate: CFString = "mdat"

/// The security domain of an internet password; part of what makes it unique.
@safe nonisolated(unsafe) public let kSecAttrSecurityDomain: CFString = "sdmn"

/// The server of an internet password; part of what makes it unique.
@safe nonisolated(unsafe) public let kSecAttrServer: CFString = "srvr"

/// The protocol of an internet password; part of what makes it unique.
@safe nonisolated(unsafe) public let kSecAttrProtocol: CFString = "ptcl"

/// How an internet password is used; part of what makes it unique.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationType: CFString = "atyp"

/// The port of an internet password; part of what makes it unique.
@safe nonisolated(unsafe) public let kSecAttrPort: CFString = "port"

/// The path of an internet password; part of what makes it unique.
@safe nonisolated(unsafe) public let kSecAttrPath: CFString = "path"

/// The access group of items on hardware tokens; there are none here.
@safe nonisolated(unsafe) public let kSecAttrAccessGroupToken: CFString = "com.apple.token"

/// The hardware token that holds an item; there are none here.
@safe nonisolated(unsafe) public let kSecAttrTokenID: CFString = "tkid"

/// The Secure Enclave as a token; there is none here.
@safe nonisolated(unsafe) public let kSecAttrTokenIDSecureEnclave: CFString = "com.apple.setoken"

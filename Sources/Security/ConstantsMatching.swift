// How a query chooses among the items that its attributes name. The string of each begins with "m".
// (Immutable texts, though NSString is not declared Sendable.)

public import Foundation

/// The most items that a query gives: a number, one or all.
@safe nonisolated(unsafe) public let kSecMatchLimit: CFString = "m_Limit"

/// A limit of one item, given as a single value.
@safe nonisolated(unsafe) public let kSecMatchLimitOne: CFString = "m_LimitOne"

/// No limit; the items are given as an array.
@safe nonisolated(unsafe) public let kSecMatchLimitAll: CFString = "m_LimitAll"

/// Asks to ignore letter case; accepted, and without effect on passwords.
@safe nonisolated(unsafe) public let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"

/// Items to choose among.
@safe nonisolated(unsafe) public let kSecMatchItemList: CFString = "m_ItemList"

/// Keychain files to search; there are none here.
@safe nonisolated(unsafe) public let kSecMatchSearchList: CFString = "m_SearchList"

/// A trust policy; passwords have none.
@safe nonisolated(unsafe) public let kSecMatchPolicy: CFString = "m_Policy"

/// Issuers of certificates; passwords have none.
@safe nonisolated(unsafe) public let kSecMatchIssuers: CFString = "m_Issuers"

/// A certificate's e-mail address.
@safe nonisolated(unsafe) public let kSecMatchEmailAddressIfPresent: CFString =
  "m_EmailAddressIfPresent"

/// Text in the subject of a certificate.
@safe nonisolated(unsafe) public let kSecMatchSubjectContains: CFString = "m_SubjectContains"

/// Only trusted certificates.
@safe nonisolated(unsafe) public let kSecMatchTrustedOnly: CFString = "m_TrustedOnly"

/// Only certificates valid on a date.
@safe nonisolated(unsafe) public let kSecMatchValidOnDate: CFString = "m_ValidOnDate"

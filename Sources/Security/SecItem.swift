// The functions have Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// Stores a new item.
///
/// - Parameters:
///   - attributes: The class, the attributes, the secret as `kSecValueData`, and what to return.
///   - result: Set to what was asked for with `kSecReturn…` keys.
/// - Returns: `errSecSuccess`; `errSecDuplicateItem` where an item of that name exists,
///   `errSecInteractionNotAllowed` while locked, `errSecMissingEntitlement` for a foreign access group,
///   `errSecParam`, `errSecNoSuchAttr` and others for a dictionary that is not right.
@discardableResult
public func SecItemAdd(
  _ attributes: CFDictionary,
  _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  status { () throws(KeychainError) in
    let addition = try Addition(attributes)
    let object = try SharedKeychain.current().add(addition)
    if !addition.returns.isEmpty { unsafe result?.pointee = object }
  }
}

/// Finds items, and returns what was asked for of them.
///
/// Without `kSecMatchLimit` it finds one item. Secrets come as `Data`, which nobody wipes.
///
/// - Parameters:
///   - query: The class and the attributes that must match, and what to return.
///   - result: Set to what was asked for with `kSecReturn…` keys: one object, or an array with
///     `kSecMatchLimitAll`.
/// - Returns: `errSecSuccess`; `errSecItemNotFound`, `errSecInteractionNotAllowed` where an item that matches
///   is locked, and what ``SecItemAdd(_:_:)`` returns for a dictionary that is not right.
@discardableResult
public func SecItemCopyMatching(
  _ query: CFDictionary,
  _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  status { () throws(KeychainError) in
    let reading = try Reading(query, hasResult: unsafe result != nil)
    let object = try SharedKeychain.current().copy(reading)
    if !reading.returns.isEmpty { unsafe result?.pointee = object }
  }
}

/// Changes every item that a query finds, all or none.
///
/// - Parameters:
///   - query: The class and the attributes that must match.
///   - attributesToUpdate: The new values; what is left out stays.
/// - Returns: `errSecSuccess`; `errSecItemNotFound`, `errSecDuplicateItem` where a changed item has the name
///   of another, `errSecInteractionNotAllowed`, and what ``SecItemAdd(_:_:)`` returns for a dictionary that
///   is not right.
@discardableResult
public func SecItemUpdate(
  _ query: CFDictionary,
  _ attributesToUpdate: CFDictionary
) -> OSStatus {
  status { () throws(KeychainError) in
    try SharedKeychain.requireEntitlement(named: query)
    let update = try Update(query, attributesToUpdate)
    try SharedKeychain.current().update(update)
  }
}

/// Removes every item that a query finds, all or none.
///
/// - Parameter query: The class and the attributes that must match.
/// - Returns: `errSecSuccess`; `errSecItemNotFound`, `errSecInteractionNotAllowed` where one of the items is
///   locked, and what ``SecItemAdd(_:_:)`` returns for a dictionary that is not right.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
  status { () throws(KeychainError) in
    try SharedKeychain.requireEntitlement(named: query)
    let deletion = try Deletion(query)
    try SharedKeychain.current().delete(deletion)
  }
}

private func status(_ body: () throws(KeychainError) -> Void) -> OSStatus {
  do {
    try body()
    return errSecSuccess
  } catch {
    return error.status
  }
}

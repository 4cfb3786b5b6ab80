// The functions have Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// An NSString that nobody can change is safe to share, though NSString is not declared Sendable.

public import Foundation

/// An error of Core Foundation.
public typealias CFError = NSError

/// The domain of the errors whose code is an ``OSStatus``.
@safe nonisolated(unsafe) public let kCFErrorDomainOSStatus: CFString = "NSOSStatusErrorDomain"

/// The domain of an error.
public func CFErrorGetDomain(_ error: CFError) -> CFString {
  NSString(string: error.domain)
}

/// The code of an error, of its domain.
public func CFErrorGetCode(_ error: CFError) -> CFIndex {
  error.code
}

/// What an error says besides its domain and code.
public func CFErrorCopyUserInfo(_ error: CFError) -> CFDictionary {
  error.userInfo as NSDictionary
}

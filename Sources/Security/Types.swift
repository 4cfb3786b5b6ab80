// Core Foundation's names for the types of Foundation that stand for them on Linux. Three
// values are implicitly unwrapped, as Apple's are: clients write them with and without `!`.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation

/// Text.
public typealias CFString = NSString

/// A dictionary; one made with `as CFDictionary` from a Swift dictionary.
public typealias CFDictionary = NSDictionary

/// An array.
public typealias CFArray = NSArray

/// Bytes.
public typealias CFData = NSData

/// A date.
public typealias CFDate = NSDate

/// A number.
public typealias CFNumber = NSNumber

/// A truth value.
public typealias CFBoolean = NSNumber

/// Any object, as results are given.
public typealias CFTypeRef = AnyObject

/// A set of flags.
public typealias CFOptionFlags = UInt

/// A count or a position.
public typealias CFIndex = Int

/// The status of a call: 0, or one of the `errSec…` numbers.
public typealias OSStatus = Int32

/// True.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)

/// False.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)

/// What Core Foundation takes its memory from; here it has no values but `nil`.
public final class CFAllocator: Sendable {
  private init() {}
}

/// The default allocator.
public let kCFAllocatorDefault: CFAllocator! = nil

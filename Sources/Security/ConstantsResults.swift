// What a call gives back, and the value it is given. (Immutable texts, though NSString is not
// declared Sendable.)

public import Foundation

/// Asks for the value of the item.
@safe nonisolated(unsafe) public let kSecReturnData: CFString = "r_Data"

/// Asks for the attributes of the item.
@safe nonisolated(unsafe) public let kSecReturnAttributes: CFString = "r_Attributes"

/// Asks for an object that stands for the item; passwords have none.
@safe nonisolated(unsafe) public let kSecReturnRef: CFString = "r_Ref"

/// Asks for a reference that other processes and later runs can use.
@safe nonisolated(unsafe) public let kSecReturnPersistentRef: CFString = "r_PersistentRef"

/// The value of the item, as `Data`.
@safe nonisolated(unsafe) public let kSecValueData: CFString = "v_Data"

/// The object that stands for an item; passwords have none.
@safe nonisolated(unsafe) public let kSecValueRef: CFString = "v_Ref"

/// The persistent reference of an item, as `Data`.
@safe nonisolated(unsafe) public let kSecValuePersistentRef: CFString = "v_PersistentRef"

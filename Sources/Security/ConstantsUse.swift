// How a call may ask people, and where it looks. (Immutable texts, though NSString is not declared
// Sendable.)

public import Foundation

/// The text of a prompt; nothing is prompted here.
@safe nonisolated(unsafe) public let kSecUseOperationPrompt: CFString = "u_OpPrompt"

/// Forbids prompts, in the older form.
@safe nonisolated(unsafe) public let kSecUseNoAuthenticationUI: CFString = "u_NoAuthUI"

/// Says whether a call may prompt: allow, fail or skip.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUI: CFString = "u_AuthUI"

/// A call may prompt.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA"

/// A call that would prompt fails.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"

/// A query leaves out the items that need a prompt.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"

/// An authentication made before the call.
@safe nonisolated(unsafe) public let kSecUseAuthenticationContext: CFString = "u_AuthCtx"

/// Items to use in place of those of the keychain.
@safe nonisolated(unsafe) public let kSecUseItemList: CFString = "u_ItemList"

/// Chooses the data-protection keychain; the only one here, so without effect.
@safe nonisolated(unsafe) public let kSecUseDataProtectionKeychain: CFString = "nleg"

import SecretVault
import Testing

/// What a vault can be in.
enum LockPhase: CaseIterable {
  case beforeFirstUnlock
  case locked
  case unlocked
}

/// What a program asks of one item.
enum ItemOperation: String, CaseIterable {
  case add
  case get
  case list
  case update
  case delete
}

/// What comes of it.
enum LockAnswer: Equatable {
  /// It was done.
  case done
  /// The code `locked`, and nothing changed.
  case locked
  /// The listing holds nothing but the number of locked items.
  case counted
}

/// One operation on an item of one class, and the answer in each phase.
struct LockMatrixRow: Sendable, CustomTestStringConvertible {
  let accessibility: Accessibility
  let operation: ItemOperation
  let beforeFirstUnlock: LockAnswer
  let locked: LockAnswer
  let unlocked: LockAnswer

  fileprivate init(
    _ accessibility: Accessibility,
    _ operation: ItemOperation,
    _ beforeFirstUnlock: LockAnswer,
    _ locked: LockAnswer,
    _ unlocked: LockAnswer
  ) {
    self.accessibility = accessibility
    self.operation = operation
    self.beforeFirstUnlock = beforeFirstUnlock
    self.locked = locked
    self.unlocked = unlocked
  }

  var testDescription: String { "\(operation.rawValue) in \(accessibility.rawValue)" }

  func answer(in phase: LockPhase) -> LockAnswer {
    switch phase {
    case .beforeFirstUnlock: beforeFirstUnlock
    case .locked: locked
    case .unlocked: unlocked
    }
  }

  /// The whole matrix; the columns are before the first unlock, locked, and unlocked.
  static let all: [LockMatrixRow] = [
    .init(.whenUnlocked, .add, .locked, .locked, .done),
    .init(.whenUnlocked, .get, .locked, .locked, .done),
    .init(.whenUnlocked, .list, .locked, .counted, .done),
    .init(.whenUnlocked, .update, .locked, .locked, .done),
    .init(.whenUnlocked, .delete, .locked, .locked, .done),

    .init(.afterFirstUnlock, .add, .locked, .done, .done),
    .init(.afterFirstUnlock, .get, .locked, .done, .done),
    .init(.afterFirstUnlock, .list, .locked, .done, .done),
    .init(.afterFirstUnlock, .update, .locked, .done, .done),
    .init(.afterFirstUnlock, .delete, .locked, .done, .done),

    .init(.whenUnlockedThisDeviceOnly, .add, .locked, .locked, .done),
    .init(.whenUnlockedThisDeviceOnly, .get, .locked, .locked, .done),
    .init(.whenUnlockedThisDeviceOnly, .list, .locked, .counted, .done),
    .init(.whenUnlockedThisDeviceOnly, .update, .locked, .locked, .done),
    .init(.whenUnlockedThisDeviceOnly, .delete, .locked, .locked, .done),

    .init(.afterFirstUnlockThisDeviceOnly, .add, .locked, .done, .done),
    .init(.afterFirstUnlockThisDeviceOnly, .get, .locked, .done, .done),
    .init(.afterFirstUnlockThisDeviceOnly, .list, .locked, .done, .done),
    .init(.afterFirstUnlockThisDeviceOnly, .update, .locked, .done, .done),
    .init(.afterFirstUnlockThisDeviceOnly, .delete, .locked, .done, .done),

    .init(.whenPasscodeSetThisDeviceOnly, .add, .locked, .locked, .done),
    .init(.whenPasscodeSetThisDeviceOnly, .get, .locked, .locked, .done),
    .init(.whenPasscodeSetThisDeviceOnly, .list, .locked, .counted, .done),
    .init(.whenPasscodeSetThisDeviceOnly, .update, .locked, .locked, .done),
    .init(.whenPasscodeSetThisDeviceOnly, .delete, .locked, .locked, .done),
  ]
}

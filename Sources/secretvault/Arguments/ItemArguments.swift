import SecretVault

/// Which item a command is about.
struct ItemArguments {
  private let service: String
  private let account: String
  private let group: String?
  private let isSynchronizable: Bool

  /// Takes the first two operands and the options `--group` and `--synchronizable`; a missing account
  /// is the empty account.
  init(_ arguments: ParsedArguments) {
    service = arguments.operand(0) ?? ""
    account = arguments.operand(1) ?? ""
    group = arguments.value(of: .group)
    isSynchronizable = arguments.has(.synchronizable)
  }

  /// What names the item; without `--group` the store takes the group `default`, else the only open one.
  var identity: ItemIdentity {
    ItemIdentity(
      service: service,
      account: account,
      group: group,
      isSynchronizable: isSynchronizable
    )
  }
}

extension ItemChanges {
  /// Takes the options `--accessibility`, `--label`, `--comment` and `--expires`.
  ///
  /// - Throws: A usage failure for an unknown class, or a malformed moment.
  init(_ arguments: ParsedArguments) throws(Failure) {
    self.init(
      accessibility: try Accessibility(arguments),
      label: arguments.value(of: .label),
      comment: arguments.value(of: .comment),
      expires: try Expiry(arguments)
    )
  }
}

extension Accessibility {
  /// The class that `--accessibility` names; `nil` where it was not given.
  ///
  /// - Throws: A usage failure for an unknown class.
  init?(_ arguments: ParsedArguments) throws(Failure) {
    guard let name = arguments.value(of: .accessibility) else { return nil }
    guard let accessibility = Accessibility(rawValue: name) else {
      let names = Accessibility.allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage("unknown accessibility class; use \(names)")
    }
    self = accessibility
  }
}

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
  /// Takes the options `--accessibility`, `--label`, `--comment`, `--expires`, `--history` and `--revalidate`.
  ///
  /// - Throws: A usage failure for an unknown class, a malformed moment or number, and options that exclude each
  ///   other.
  init(_ arguments: ParsedArguments) throws(Failure) {
    let revalidates = arguments.has(.revalidate)
    if revalidates, arguments.has(.noRevalidate) {
      throw .usage("--revalidate and --no-revalidate exclude each other; give one")
    }
    self.init(
      accessibility: try Accessibility(arguments),
      label: arguments.value(of: .label),
      comment: arguments.value(of: .comment),
      expires: try Expiry(arguments),
      versionsKept: try arguments.number(of: .history, in: 0...255).map { Int($0) },
      mustRevalidate: revalidates || arguments.has(.noRevalidate) ? revalidates : nil
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

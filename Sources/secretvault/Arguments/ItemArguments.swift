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

  /// The item's identity in an unlocked store.
  ///
  /// Without `--group` that is the group `default` if it is open, else the only one that is.
  ///
  /// - Throws: A failure with the code ``ExitCode/ambiguous`` where several others are open.
  func identity(in store: SecretStore) throws(Failure) -> ItemIdentity {
    ItemIdentity(
      service: service,
      account: account,
      group: try group(among: store.groups),
      isSynchronizable: isSynchronizable
    )
  }

  private func group(among groups: [String]) throws(Failure) -> String {
    if let group { return group }
    if groups.count == 1, let only = groups.first { return only }
    if groups.contains("default") { return "default" }
    throw Failure(
      .ambiguous,
      name: "ambiguous",
      "the credential opens \(groups.count) access groups; say which with --group NAME"
    )
  }
}

/// The attributes that a command sets; `nil` where an option was not given.
struct AttributeArguments {
  let accessibility: Accessibility?
  let label: String?
  let comment: String?

  /// Takes the options `--accessibility`, `--label` and `--comment`.
  ///
  /// - Throws: A usage failure for an unknown class.
  init(_ arguments: ParsedArguments) throws(Failure) {
    accessibility = try Self.accessibility(arguments)
    label = arguments.value(of: .label)
    comment = arguments.value(of: .comment)
  }

  /// Whether no option was given.
  var isEmpty: Bool { accessibility == nil && label == nil && comment == nil }

  /// Changes an item as the options say.
  func apply(to item: inout SecretItem) {
    if let accessibility { item.accessibility = accessibility }
    if let label { item.label = AttributeValue(label) }
    if let comment { item.comment = AttributeValue(comment) }
  }

  /// The class that `--accessibility` names.
  ///
  /// - Throws: A usage failure for an unknown class.
  static func accessibility(_ arguments: ParsedArguments) throws(Failure) -> Accessibility? {
    guard let name = arguments.value(of: .accessibility) else { return nil }
    guard let accessibility = Accessibility(rawValue: name) else {
      let names = Accessibility.allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage("unknown accessibility class; use \(names)")
    }
    return accessibility
  }
}

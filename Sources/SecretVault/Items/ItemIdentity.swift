package import VaultFormat

/// The two kinds of item: the keychain's password classes.
public enum ItemKind: Hashable, Sendable, CaseIterable {
  /// `kSecClassGenericPassword`: named by service and account.
  case genericPassword
  /// `kSecClassInternetPassword`: named by server, account, protocol, port, path and more.
  case internetPassword
}

/// What names an item: the attributes that are unique together, the access group, and whether the item
/// is synchronizable.
///
/// Two identities are equal when all of that is equal byte for byte. The synchronizable item of a name is
/// another item than the one that is not.
public struct ItemIdentity: Sendable {
  /// The name of the access group; `nil` stands for the default group when an item is asked for, and
  /// in results for a group whose name is locked and was not asked for.
  public var group: String?

  package var input: LookupInput
  /// The forms of the parts that were not given as text, by their tags.
  package var forms: [AttributeTag: AttributeValue.Form]

  package init(
    input: LookupInput,
    forms: [AttributeTag: AttributeValue.Form] = [:],
    group: String?
  ) {
    self.input = input
    self.forms = forms
    self.group = group
  }

  /// Names a generic password.
  public init(
    service: String,
    account: String = "",
    group: String? = nil,
    isSynchronizable: Bool = false
  ) {
    self.init(
      input: LookupInput(
        service: Array(service.utf8),
        account: Array(account.utf8),
        isSynchronizable: isSynchronizable
      ),
      group: group
    )
  }

  /// Names a generic password by values that need not be text.
  public init(
    serviceValue: AttributeValue,
    account: AttributeValue,
    group: String? = nil,
    isSynchronizable: Bool = false
  ) {
    self.init(
      input: LookupInput(
        service: serviceValue.bytes,
        account: account.bytes,
        isSynchronizable: isSynchronizable
      ),
      forms: Self.forms([(.service, serviceValue), (.account, account)]),
      group: group
    )
  }

  /// Names an internet password; what is not given counts as empty, and a missing port as 0.
  public init(
    server: AttributeValue,
    account: AttributeValue = "",
    securityDomain: AttributeValue = "",
    networkProtocol: AttributeValue = "",
    authenticationType: AttributeValue = "",
    port: UInt16 = 0,
    path: AttributeValue = "",
    group: String? = nil,
    isSynchronizable: Bool = false
  ) {
    self.init(
      input: LookupInput(
        server: server.bytes,
        account: account.bytes,
        securityDomain: securityDomain.bytes,
        networkProtocol: networkProtocol.bytes,
        authenticationType: authenticationType.bytes,
        port: port,
        path: path.bytes,
        isSynchronizable: isSynchronizable
      ),
      forms: Self.forms([
        (.server, server), (.account, account), (.securityDomain, securityDomain),
        (.networkProtocol, networkProtocol), (.authenticationType, authenticationType),
        (.path, path),
      ]),
      group: group
    )
  }

  private static func forms(
    _ values: [(AttributeTag, AttributeValue)]
  ) -> [AttributeTag: AttributeValue.Form] {
    var forms: [AttributeTag: AttributeValue.Form] = [:]
    for (tag, value) in values where value.form != .text { forms[tag] = value.form }
    return forms
  }
}

extension ItemIdentity: Hashable {
  /// Whether both name the same item, whatever the form of their values.
  public static func == (left: ItemIdentity, right: ItemIdentity) -> Bool {
    left.input == right.input && left.groupBytes == right.groupBytes
  }

  /// Feeds what names the item to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(input)
    hasher.combine(groupBytes)
  }

  /// The group by its bytes: names that Unicode takes for equal are different groups.
  private var groupBytes: [UInt8]? { group.map { Array($0.utf8) } }
}

extension ItemIdentity {
  /// Whether this is a generic or an internet password.
  public var kind: ItemKind {
    input.kind == ItemKind.genericPassword.byte ? .genericPassword : .internetPassword
  }

  /// Whether the item is synchronizable.
  public var isSynchronizable: Bool { input.isSynchronizable }

  /// The service of a generic password, or the server of an internet password.
  public var service: AttributeValue {
    get { value(kind == .genericPassword ? .service : .server) }
    set { set(kind == .genericPassword ? .service : .server, newValue) }
  }

  /// The account.
  public var account: AttributeValue {
    get { value(.account) }
    set { set(.account, newValue) }
  }

  /// The security domain of an internet password; empty otherwise.
  public var securityDomain: AttributeValue { value(.securityDomain) }

  /// The protocol of an internet password, four characters as a rule; empty otherwise.
  public var networkProtocol: AttributeValue { value(.networkProtocol) }

  /// The authentication type of an internet password, four characters as a rule; empty otherwise.
  public var authenticationType: AttributeValue { value(.authenticationType) }

  /// The port of an internet password, 0 where there is none.
  public var port: UInt16 {
    value(.port).bytes.reduce(0) { $0 << 8 | UInt16($1) }
  }

  /// The path of an internet password; empty otherwise.
  public var path: AttributeValue { value(.path) }

  private mutating func set(_ tag: AttributeTag, _ value: AttributeValue) {
    input = input.replacing(tag, with: value.bytes)
    forms[tag] = value.form == .text ? nil : value.form
  }

  private func value(_ tag: AttributeTag) -> AttributeValue {
    let bytes = input.attributes.first { $0.0 == tag }?.1 ?? []
    return AttributeValue(bytes: bytes, form: forms[tag] ?? .text)
  }
}

extension ItemKind {
  package var byte: UInt8 { self == .genericPassword ? 1 : 2 }

  package init?(byte: UInt8) {
    switch byte {
    case 1: self = .genericPassword
    case 2: self = .internetPassword
    default: return nil
    }
  }
}

import SecretVault

/// One thing of an imported file that is to become an item, or why it cannot.
struct ImportRow {
  /// What is to be done with the row.
  enum Fate {
    case store
    /// It cannot be an item, which leaves something of the file behind.
    case refuse(String)
    /// It is left out on purpose.
    case skip(String)
  }

  /// The line of the file on which it begins, from 1.
  let line: Int
  /// The item as the row describes it.
  var item: SecretItem
  /// The secret, or `nil` for an item without one.
  var secret: SecretBytes?
  /// The class that the row asks for; `nil` where it asks for none.
  var accessibility: Accessibility?
  var fate: Fate = .store
  /// What the user should know about a row that is stored.
  var remark: String?

  /// Describes a generic password that has only a name yet.
  init(line: Int, service: [UInt8], account: [UInt8], secret: SecretBytes? = nil) {
    self.line = line
    self.secret = secret
    item = SecretItem(
      identity: ItemIdentity(
        serviceValue: AttributeValue(imported: service),
        account: AttributeValue(imported: account)
      )
    )
  }

  /// Describes an item with all its attributes.
  init(line: Int, item: SecretItem, secret: SecretBytes?) {
    self.line = line
    self.item = item
    self.secret = secret
    accessibility = item.accessibility
  }
}

extension ImportRow {
  /// The most that all names and remarks of an item may have together, in bytes; a little less than a vault
  /// takes, which adds dates.
  private static let attributesLimit = 80_000
  /// Why an item is refused whose attributes are beyond these limits.
  static let tooLong = "its names and remarks are longer than a vault takes"
  /// The most that one of them may have, in bytes.
  static let valueLimit = 65_536

  /// The same row, refused where a vault could not take it.
  var checked: ImportRow {
    var row = self
    let names: [AttributeValue?] = [
      item.identity.service, item.identity.account, item.label, item.comment,
    ]
    let total = item.attributes.withBytes { $0.count }
    if names.contains(where: { $0?.bytes.count ?? 0 > Self.valueLimit })
      || total > Self.attributesLimit
    {
      row.fate = .refuse(Self.tooLong)
    } else if secret?.count ?? 0 > SecretReader.secretLimit {
      row.fate = .refuse("its secret is longer than a vault takes")
    } else if item.identity.isSynchronizable, item.accessibility.isDeviceBound {
      row.fate = .refuse("a synchronizable item cannot be bound to this device")
    }
    return row
  }
}

extension AttributeValue {
  /// Takes bytes of a file, as text where they are UTF-8.
  init(imported bytes: [UInt8]) {
    let isText = String(validating: bytes, as: UTF8.self) != nil
    self.init(bytes: bytes, form: isText ? .text : .data)
  }
}

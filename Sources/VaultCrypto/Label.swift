/// The domain separation labels of the vault format; each names one use of one key.
package struct Label: Sendable {
  /// The bytes `vault1/`, the label's name and a zero byte.
  package let tag: [UInt8]

  private init(_ name: String) {
    tag = Array("vault1/\(name)\0".utf8)
  }
}

extension Label {
  // Keys derived with expand.
  package static let wrap = Label("wrap")
  package static let admin = Label("admin")
  package static let labelOfSlot = Label("slot-label")
  package static let index = Label("index")
  package static let manifest = Label("manifest")
  package static let name = Label("name")
  package static let leaf = Label("leaf")

  // Values computed with expand.
  package static let adminTag = Label("admin-tag")
  package static let lookup = Label("lookup")
  package static let pageTag = Label("page-tag")
  package static let branchTag = Label("branch-tag")
  package static let manifestTag = Label("manifest-tag")
  package static let deviceID = Label("device-id")
  package static let groupName = Label("group-name")
  package static let rev = Label("rev")

  // Keys joined from parts.
  package static let slot = Label("slot")
  package static let device = Label("device")
  package static let recovery = Label("recovery")

  // Contexts of boxes, for which slot, slot-label and name serve too.
  package static let group = Label("group")
  package static let attributes = Label("attributes")
  package static let secret = Label("secret")
  package static let history = Label("history")

  // Hashes and salts.
  package static let scrypt = Label("scrypt")
  package static let checksum = Label("checksum")
  package static let keyFile = Label("keyfile")
  package static let anchor = Label("anchor")
}

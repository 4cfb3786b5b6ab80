/// The domain separation labels of the vault format; each names one use of one key.
package enum Label: String, CaseIterable, Sendable {
  // Keys derived with expand.
  case wrap
  case admin
  case slotLabel = "slot-label"
  case index
  case manifest
  case name
  case leaf
  // Values computed with expand.
  case adminTag = "admin-tag"
  case lookup
  case pageTag = "page-tag"
  case branchTag = "branch-tag"
  case manifestTag = "manifest-tag"
  case deviceID = "device-id"
  case groupName = "group-name"
  case rev
  // Keys joined from parts.
  case slot
  case device
  case recovery
  // Contexts of boxes (slot, slot-label and name serve here too).
  case group
  case attributes
  case secret
  case history
  // Hashes and salts.
  case scrypt
  case checksum
  case keyFile = "keyfile"
  case anchor

  /// The bytes `vault1/`, the label and a zero byte.
  package var tag: [UInt8] { Array("vault1/\(rawValue)\0".utf8) }
}

// The groups of options that several commands have.

extension OptionGroup {
  static let everywhere = OptionGroup("everywhere", [.json, .quiet, .help, .version])
  static let vault = OptionGroup(
    "the vault",
    [
      .vault, .state, .sharedWith, .allowForeignOwner, .slot, .kdfLimit, .requireAnchor,
      .allowUnlockedMemory,
    ]
  )
  static let credentials = OptionGroup(
    "what opens it, first match first; else variables, else the terminal",
    [.keyFile, .passphraseDescriptor, .passphraseFile, .recoveryCodeDescriptor]
  )
  static let secret = OptionGroup(
    "the secret, first match first; else standard input, else the terminal",
    [.generate, .file, .descriptor, .stripNewline]
  )
  static let item = OptionGroup("the item", [.group, .synchronizable])
  static let attributes = OptionGroup(
    "its attributes",
    [.accessibility, .label, .comment, .expires, .history, .revalidate, .noRevalidate]
  )
}

import SecretVault
import VaultAgent

/// The names of items for completion: only those that an unlocked agent shows, without a question to anybody.
struct CompletionItems {
  private let arguments: ParsedArguments?

  /// Takes the vault and the group from a line; where what is typed of it makes no sense there are no names.
  init(_ line: UnfinishedLine) {
    arguments = try? ParsedArguments(line.completeWords, known: CommandTable.knownOptions)
  }

  /// The services, sorted.
  func services() -> [String] { names(of: nil) { $0.service.text } }

  /// The access groups that have items, sorted.
  func groups() -> [String] { names(of: nil) { $0.group } }

  /// The accounts of a service, sorted; of all services where it is not known.
  func accounts(of service: String?) -> [String] { names(of: service) { $0.account.text } }

  private func names(
    of service: String?,
    _ name: (ItemIdentity) -> String?
  ) -> [String] {
    guard let arguments, let items = try? items(of: service, arguments) else { return [] }
    // What is no text, or has a zero byte, cannot be typed as a word.
    let texts = items.compactMap { name($0.identity) }.filter { !$0.contains("\0") }
    return Set(texts).sorted()
  }

  private func items(of service: String?, _ arguments: ParsedArguments) throws -> [SecretItem] {
    let location = try VaultLocation(arguments)
    guard let status = try AgentControl.connect()?.status(ofVaultAt: location.path),
      status.state == .unlocked, let store = try location.agentStore()
    else { return [] }
    let query = ItemQuery(
      service: service.map { AttributeValue($0) },
      group: arguments.value(of: .group)
    )
    return try store.items(matching: query).items
  }
}

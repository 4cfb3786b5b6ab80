import SecretVault
import VaultAgent

/// `status`: says whether the agent holds the vault open.
struct StatusCommand: Command {
  static let declaration = CommandDeclaration(
    name: "status",
    summary: "tell whether the vault is unlocked in the agent (0), or not (6)",
    options: [OptionGroup("which", [.vault])],
    notes: ["Asking never prompts, opens nothing, and does not count as use of the vault."]
  )

  private let location: VaultLocation

  init(_ arguments: ParsedArguments) throws(Failure) { location = try VaultLocation(arguments) }

  func run(_ console: Console) throws {
    try location.requireVault()
    let agent = try AgentControl.connect()
    let status = try agent?.status(ofVaultAt: location.path)
    try StatusReport(location, status).write(to: console)
    if status == nil {
      throw Failure(.locked, name: "locked", "no agent runs; start one with secretvault unlock")
    }
    if status?.state != .unlocked {
      throw Failure(.locked, name: "locked", "the vault is locked; run secretvault unlock")
    }
  }
}

/// How a vault is locked, as it is written.
struct StatusReport {
  private let location: VaultLocation
  private let status: AgentStatus?

  /// Takes what the agent told; `nil` where none runs.
  init(_ location: VaultLocation, _ status: AgentStatus?) {
    self.location = location
    self.status = status
  }

  /// Writes one line, or a document.
  func write(to console: Console) throws {
    if console.usesJSON {
      try console.output.write(line: document)
    } else {
      try console.output.write(([state] + limits).joined(separator: "; ") + "\n")
    }
  }

  private var state: String {
    switch status?.state {
    case .unlocked: "unlocked"
    case .locked: "locked"
    case .beforeFirstUnlock, nil: "not unlocked yet"
    }
  }

  private var limits: [String] {
    guard let status else { return [] }
    let idle = status.secondsUntilIdleLock.map {
      "locks in \(DurationText.text(UInt64($0))) without use"
    }
    let end = status.secondsUntilEnd.map { "forgets its keys in \(DurationText.text(UInt64($0)))" }
    return [idle, end].compactMap(\.self)
  }

  private var document: JSON {
    let name =
      switch status?.state {
      case .unlocked: "unlocked"
      case .locked: "locked"
      case .beforeFirstUnlock, nil: "beforeFirstUnlock"
      }
    return .document([
      ("vault", .string(location.path)),
      ("agent", .bool(status != nil)),
      ("state", .string(name)),
      ("idleSeconds", Self.number(status?.secondsUntilIdleLock)),
      ("lifetimeSeconds", Self.number(status?.secondsUntilEnd)),
    ])
  }

  private static func number(_ seconds: UInt32?) -> JSON {
    seconds.map { .number(UInt64($0)) } ?? .null
  }
}

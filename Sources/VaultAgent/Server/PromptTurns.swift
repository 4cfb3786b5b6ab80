import Synchronization

/// Whose turn it is to ask a person for the passphrase of a vault, so that many clients show one prompt.
///
/// The first that asks has the turn until its connection ends or the vault is unlocked; the others wait in a line.
final class PromptTurns: Sendable {
  private struct Line {
    var holder: Conversation
    var waiting: [Conversation] = []
  }

  private let lines = Mutex<[VaultPath: Line]>([:])

  /// Takes the turn or a place in the line; true for the turn.
  func enter(_ conversation: Conversation, for path: VaultPath) -> Bool {
    lines.withLock { lines in
      guard lines[path] != nil else {
        lines[path] = Line(holder: conversation)
        return true
      }
      lines[path]?.waiting.append(conversation)
      return false
    }
  }

  /// Whether the conversation has a turn or waits for one.
  func concerns(_ conversation: Conversation) -> Bool {
    lines.withLock { lines in
      lines.values.contains { $0.holder === conversation || $0.waiting.contains(conversation) }
    }
  }

  /// Whether the conversation waits in a line.
  func isWaiting(_ conversation: Conversation) -> Bool {
    lines.withLock { $0.values.contains { $0.waiting.contains(conversation) } }
  }

  /// Takes a conversation that ends out of all lines; where it had a turn the next one is told.
  func leave(_ conversation: Conversation) {
    var next = lines.withLock { lines in Self.remove(conversation, from: &lines) }
    while let turned = next {
      // One that cannot be told is gone as well.
      if (try? turned.channel.sendAtOnce(Reply.prompt(.ask).message)) != nil { return }
      next = lines.withLock { lines in Self.remove(turned, from: &lines) }
    }
  }

  /// Ends the line of a vault that is unlocked now, and tells those who waited.
  ///
  /// - Returns: Those who waited.
  func end(_ path: VaultPath) -> [Conversation] {
    let waiting = lines.withLock { $0.removeValue(forKey: path)?.waiting ?? [] }
    for conversation in waiting {
      try? conversation.channel.sendAtOnce(Reply.prompt(.unlocked).message)
    }
    return waiting
  }

  /// Returns who has the turn of the conversation now.
  private static func remove(
    _ conversation: Conversation,
    from lines: inout [VaultPath: Line]
  ) -> Conversation? {
    var next: Conversation?
    for (path, line) in lines {
      lines[path]?.waiting.removeAll { $0 === conversation }
      guard line.holder === conversation else { continue }
      if let first = line.waiting.first {
        lines[path] = Line(holder: first, waiting: Array(line.waiting.dropFirst()))
        next = first
      } else {
        lines[path] = nil
      }
    }
    return next
  }
}

import Synchronization

/// How far the work has come, in one line of the terminal that is written over; elsewhere nothing.
final class ProgressLine: Sendable {
  private struct State: ~Copyable {
    let output: Output
    var isBegun = false
  }

  private let state: Mutex<State>
  private let isShown: Bool

  init(isShown: Bool) {
    let output = Output(.standardError, name: "to standard error")
    self.isShown = isShown && output.isTerminal
    state = Mutex(State(output: output))
  }

  /// Shows a text in place of the one before.
  func show(_ text: String) {
    guard isShown else { return }
    state.withLock { state in
      state.isBegun = true
      // The work goes on where nobody can be told of it.
      try? state.output.write("\r\(text)")
      try? state.output.flush()
    }
  }

  /// Leaves the line, if there is one.
  func end() {
    state.withLock { state in
      guard state.isBegun else { return }
      state.isBegun = false
      try? state.output.write("\n")
      try? state.output.flush()
    }
  }
}

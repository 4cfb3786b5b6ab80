/// A failure that the command has told in a way of its own, so that nothing more is to be said.
struct ToldFailure: Error {
  let exitCode: ExitCode
}

import Glibc
import SecretVault

/// The program that asks for passphrases in place of the terminal, as `SSH_ASKPASS` names it.
struct Askpass {
  private let program: String

  /// Takes the program where `SECRETVAULT_ASKPASS` is 1; `nil` where it is not.
  ///
  /// - Throws: A usage failure where no program is named.
  static func wanted() throws(Failure) -> Askpass? {
    guard try ProcessEnvironment.value(of: "SECRETVAULT_ASKPASS") == "1" else { return nil }
    guard let program = try ProcessEnvironment.value(of: "SSH_ASKPASS") else {
      throw .usage("SECRETVAULT_ASKPASS is 1 and SSH_ASKPASS is not set; name the program there")
    }
    return Askpass(program: program)
  }

  /// Runs the program with the question as its argument, and takes what it writes to its standard output,
  /// less one newline at the end.
  ///
  /// The program gets no standard input, which may carry a secret.
  ///
  /// - Throws: ``Failure/cancelled`` where the program ends with another code than 0; a failure where it cannot
  ///   be run.
  func ask(_ question: String) throws -> SecretBytes {
    let pipe = try Pipe()
    let child = try ChildProcess(
      ChildProcess.Request(
        executable: program,
        arguments: [program, question],
        streams: [.nothing, .descriptor(pipe.writeEnd.number), .descriptor(STDERR_FILENO)]
      ),
      name: "the program that SSH_ASKPASS names"
    )
    pipe.closeWriteEnd()
    let answer = Result {
      try SecretReader.read(
        pipe.readEnd,
        limit: SecretReader.credentialLimit,
        name: "what the program of SSH_ASKPASS wrote"
      )
    }
    // A program that writes on must not wait for a reader.
    pipe.closeReadEnd()
    let exitCode = try child.waitForEnd()
    let secret = try answer.get()
    if exitCode != 0 { throw Failure.cancelled }
    return try secret.droppingTrailingNewline()
  }
}

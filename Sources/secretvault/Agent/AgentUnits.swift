import Glibc

/// The systemd units of a user that start the agent when a program first asks for it.
///
/// The socket's place is the one where clients look: `%t` is `XDG_RUNTIME_DIR`. A user's service manager has no
/// rights to change name spaces, so the hardening is what works without: no new rights, a filter of system calls
/// (systemd.exec(5)), and no sockets but the local ones. The vaults may be anywhere in the home, so the file
/// system stays as it is.
struct AgentUnits {
  /// The path of the tool.
  let executable: String
  /// Further words for the agent, such as `--idle=5m`.
  let options: [String]

  /// The units of this very executable.
  ///
  /// - Throws: A system failure where its path cannot be told.
  static func ofThisExecutable(options: [String]) throws(Failure) -> AgentUnits {
    guard let path = unsafe realpath("/proc/self/exe", nil) else {
      throw .system(errno, "cannot tell the path of the tool")
    }
    defer { unsafe free(path) }
    return AgentUnits(executable: unsafe String(cString: path), options: options)
  }

  /// Both units, each under a comment with its file's name.
  var text: String { socket + "\n" + service }

  private var socket: String {
    """
    # ~/.config/systemd/user/secretvault-agent.socket
    # then: systemctl --user daemon-reload && systemctl --user enable --now secretvault-agent.socket
    [Unit]
    Description=Socket of the SecretVault agent

    [Socket]
    ListenStream=%t/secretvault/agent.sock
    SocketMode=0600
    DirectoryMode=0700

    [Install]
    WantedBy=sockets.target

    """
  }

  private var service: String {
    """
    # ~/.config/systemd/user/secretvault-agent.service
    [Unit]
    Description=SecretVault agent
    Requires=secretvault-agent.socket
    After=secretvault-agent.socket

    [Service]
    Type=exec
    ExecStart=\(commandLine)
    UMask=0077
    LimitCORE=0
    NoNewPrivileges=yes
    LockPersonality=yes
    MemoryDenyWriteExecute=yes
    RestrictAddressFamilies=AF_UNIX
    RestrictNamespaces=yes
    RestrictRealtime=yes
    RestrictSUIDSGID=yes
    SystemCallArchitectures=native
    SystemCallFilter=@system-service
    SystemCallErrorNumber=EPERM

    """
  }

  private var commandLine: String {
    ([Self.quoted(executable), "agent", "--foreground"] + options).joined(separator: " ")
  }

  /// A word of a command line as systemd.syntax(7) and systemd.unit(5) want it: in quotes, with `%` doubled.
  private static func quoted(_ word: String) -> String {
    var quoted = "\""
    for scalar in word.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "%": quoted += "%%"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

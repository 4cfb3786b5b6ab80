import Foundation
import TestSupport
import Testing

@Suite("credentials")
struct CredentialTests {
  /// A vault with a passphrase slot and a key file slot.
  private static func vaultWithPassphrase() throws -> Tool {
    let tool = try Tool()
    try tool.home.write("correct horse battery\n", to: "pw")
    try tool.home.write("wrong\n", to: "wrong")
    let made = try tool.run(
      "init",
      "--passphrase-file",
      tool.home.path("pw"),
      "--generate-key-file",
      tool.home.path("key"),
      "--either"
    )
    if made.exitCode != 0 { throw SetupFailure(description: made.errorText) }
    return tool
  }

  @Test("a wrong passphrase is 8, also for a write, which then changes nothing")
  func wrongPassphrase() throws {
    let tool = try Self.vaultWithPassphrase()
    let before = tool.home.contents(of: Tool.vaultPath)
    let wrong = tool.home.path("wrong")
    let read = try tool.run("get", "a", "--passphrase-file", wrong)
    #expect(read.exitCode == 8)
    #expect(read.isOneErrorLine)
    #expect(read.output.isEmpty)
    #expect(try tool.run("set", "a", "--passphrase-file", wrong, input: .text("x")).exitCode == 8)
    #expect(tool.home.contents(of: Tool.vaultPath) == before)
  }

  @Test("without terminal and credential it is 7 at once, also with input that never comes")
  func noCredential() throws {
    let tool = try Tool.withVault().withoutCredential
    for words in [["get", "a"], ["set", "a"], ["list"], ["slot", "list"], ["check"]] {
      let outcome = try tool.start(words, input: .silent).finish(within: .seconds(20))
      #expect(outcome.exitCode == 7)
      #expect(outcome.isOneErrorLine)
    }
  }

  @Test("options come before variables, and variables before the credentials of a service")
  func precedence() throws {
    let tool = try Self.vaultWithPassphrase()
    let key = tool.home.path("key")
    let good = tool.home.path("pw")
    let wrong = tool.home.path("wrong")
    var variables = tool
    variables.environment["SECRETVAULT_PASSPHRASE_FILE"] = wrong
    #expect(try variables.run("list").exitCode == 8)
    #expect(try variables.run("list", "--passphrase-file", good).exitCode == 0)
    #expect(try variables.run("list", "--key-file", key).exitCode == 0)
    variables.environment = tool.environment
    variables.environment["SECRETVAULT_KEY_FILE"] = key
    #expect(try variables.run("list").exitCode == 0)
    #expect(try variables.run("list", "--passphrase-file", wrong).exitCode == 8)
    let descriptor = try variables.run("list", "--passphrase-file", wrong, "--passphrase-fd", "5") {
      $0.descriptors[5] = Array("correct horse battery\n".utf8)
    }
    #expect(descriptor.exitCode == 0)
  }

  @Test("the credentials of a service are found in its folder, with the modes that systemd gives")
  func credentialsDirectory() throws {
    var tool = try Self.vaultWithPassphrase()
    let folder = try TemporaryFolder()
    tool.environment["CREDENTIALS_DIRECTORY"] = folder.path
    #expect(try tool.run("list").exitCode == 7)
    let key = try #require(tool.home.contents(of: "key"))
    for (mode, code) in [(0o400, 0), (0o440, 0), (0o444, 13), (0o460, 13)] as [(Int, Int32)] {
      try folder.write(key, to: "secretvault.key", mode: mode)
      #expect(try tool.run("list").exitCode == code)
      try FileManager.default.removeItem(atPath: folder.path("secretvault.key"))
    }
    try folder.write("correct horse battery", to: "secretvault.passphrase", mode: 0o440)
    #expect(try tool.run("list").exitCode == 0)
  }

  @Test("passphrase and key files obey the same rules: mode, kind and links")
  func insecureFiles() throws {
    let tool = try Self.vaultWithPassphrase()
    let files = FileManager.default
    for (option, name) in [("--passphrase-file", "pw"), ("--key-file", "key")] {
      let path = tool.home.path(name)
      let bytes = try #require(tool.home.contents(of: name))
      for mode in [0o644, 0o640, 0o620, 0o602] {
        let open = try tool.home.write(bytes, to: "open", mode: mode)
        let outcome = try tool.run("list", option, open)
        #expect(outcome.exitCode == 13)
        #expect(outcome.errorText.contains("chmod 600"))
      }
      try? files.removeItem(atPath: tool.home.path("link"))
      try files.createSymbolicLink(atPath: tool.home.path("link"), withDestinationPath: path)
      #expect(try tool.run("list", option, tool.home.path("link")).exitCode == 13)
      try files.linkItem(atPath: path, toPath: tool.home.path("second"))
      #expect(try tool.run("list", option, path).exitCode == 13)
      try files.removeItem(atPath: tool.home.path("second"))
      #expect(try tool.run("list", option, path).exitCode == 0)
      #expect(try tool.run("list", option, tool.home.path).exitCode == 13)
      #expect(try tool.run("list", option, tool.home.path("nothing")).exitCode == 1)
      _ = unsafe mkfifo(tool.home.path("fifo"), 0o600)
      let fifo = try tool.start(["list", option, tool.home.path("fifo")])
      #expect(try fifo.finish(within: .seconds(10)).exitCode == 13)
      try files.removeItem(atPath: tool.home.path("fifo"))
    }
  }

  @Test("case 34: one newline at its end is dropped from a passphrase, and any other byte counts")
  func oddPassphrase() throws {
    let tool = try Tool()
    let passphrase = " $(touch x) '\"!\nsecond line, täst\r\n "
    let file = try tool.home.write(passphrase + "\n", to: "pw")
    #expect(try tool.run("init", "--passphrase-file", file).exitCode == 0)
    for (given, code) in [(passphrase + "\n", 0), (passphrase, 0), (passphrase + "\n\n", 8)] {
      let opened = try tool.run("list", "--passphrase-fd", "9") {
        $0.descriptors[9] = Array(given.utf8)
      }
      #expect(opened.exitCode == Int32(code))
    }
  }

  @Test("an empty passphrase is 2")
  func emptyPassphrase() throws {
    let tool = try Tool.withVault()
    for input in ["", "\n"] {
      let outcome = try tool.run("list", "--passphrase-fd", "0", input: .text(input))
      #expect(outcome.exitCode == 2)
    }
  }

  @Test("one input cannot give both the passphrase and the secret")
  func sharedInput() throws {
    let tool = try Tool.withVault()
    let both = try tool.run("set", "a", "--passphrase-fd", "0", input: .text("pw\n"))
    #expect(both.exitCode == 2)
    let twice = try tool.run("set", "a", "--passphrase-fd", "5", "--fd", "5") {
      $0.descriptors[5] = Array("pw\n".utf8)
    }
    #expect(twice.exitCode == 2)
    #expect(try tool.run("list").output.isEmpty)
  }

  @Test("O-7: there is no option or variable for a passphrase or a secret itself")
  func noPlainOptions() throws {
    var tool = try Tool.withVault()
    for option in ["--passphrase", "--password", "--secret", "--value", "-p"] {
      let outcome = try tool.run("set", "a", "\(option)=hunter2", input: .text("x"))
      #expect(outcome.exitCode == 2)
      #expect(!outcome.errorText.contains("hunter2"))
    }
    let operand = try tool.run("set", "a", "b", "hunter2", input: .text("x"))
    #expect(operand.exitCode == 2)
    #expect(!operand.errorText.contains("hunter2"))
    tool.environment["SECRETVAULT_KEY_FILE"] = nil
    tool.environment["SECRETVAULT_PASSPHRASE"] = "hunter2"
    #expect(try tool.run("list").exitCode == 7)
  }
}

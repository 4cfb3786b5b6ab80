import TestSupport
import Testing

/// What becomes of each row of a sample of each format.
@Suite("import: formats")
struct ImportFormatTests {
  /// Imports a sample into a new vault and returns the tool with it, and the outcome.
  private func importing(
    _ sample: ImportSample,
    _ words: String...
  ) throws -> (tool: Tool, outcome: ChildProcess.Outcome) {
    let tool = try Tool.withVault()
    let file = try tool.home.write(sample.bytes, to: "sample", mode: 0o644)
    return (tool, try tool.start(["import", file] + words).finish())
  }

  @Test("Bitwarden: logins, notes and cards become items, fields items of their own")
  func bitwarden() throws {
    let (tool, outcome) = try importing(.bitwarden)
    let place = "github.com:8443/login"
    #expect(
      outcome.text == """
        added\tdefault\t\(place)\talice
        added\tdefault\t\(place)\talice#TOTP
        added\tdefault\t\(place)\talice#PIN
        refused\tdefault\t\(place)\talice#passkey\ta passkey cannot be imported
        skipped\tdefault\t\(place)\talice#passwordHistory\tearlier passwords are not imported
        added\tdefault\tNo address\t
        added\tdefault\tDiary\t
        added\tdefault\tVisa\t#number
        added\tdefault\tVisa\t#code

        """
    )
    #expect(outcome.exitCode == 1)
    #expect(outcome.errorText.contains("7 added, 1 refused, 1 skipped"))
    #expect(try tool.secretText(place, "alice") == "hunter1ä😀/\"")
    #expect(try tool.secretText(place, "alice#TOTP") == "otpauth://totp/GitHub?secret=HUNTER")
    #expect(try tool.secretText(place, "alice#PIN") == "hunter-pin")
    #expect(try tool.secretText("No address") == "")
    #expect(try tool.secretText("Diary") == "hunter's note")
    #expect(try tool.secretText("Visa", "#number") == "hunter4111")
    let shown = try tool.run("show", place, "alice").text
    #expect(shown.contains("label: GitHub\n"))
    #expect(shown.contains("comment: two\\nlines\\nURL: https://gist.github.com/?a=b\n"))
  }

  @Test("KeePassXC CSV: quotes, commas and lines in fields, titles kept as they are")
  func keePassTable() throws {
    let (tool, outcome) = try importing(.keePassCSV)
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.text == """
        added\tdefault\tgithub.com/login\talice
        added\tdefault\tgithub.com/login\talice#TOTP
        added\tdefault\t a/b\\tÜ \t
        added\tdefault\t../../x\tbob

        """
    )
    #expect(try tool.secretText("github.com/login", "alice") == "hunter1\",")
    #expect(try tool.secretText(" a/b\tÜ ") == "hunter2")
    #expect(try tool.secretText("../../x", "bob") == "")
    let shown = try tool.run("show", "github.com/login", "alice").text
    #expect(shown.contains("comment: two\\nlines\n"))
  }

  @Test("KeePass XML: references, CDATA and nested groups; attachments and history are reported")
  func keePassDocument() throws {
    let (tool, outcome) = try importing(.keePassXML)
    #expect(outcome.exitCode == 1)
    let place = "github.com/login"
    let reason = "an attachment cannot be imported; save it and set it"
    #expect(
      outcome.text == """
        added\tdefault\t\(place)\talice
        added\tdefault\t\(place)\talice#TOTP
        added\tdefault\t\(place)\talice#PIN
        refused\tdefault\t\(place)\talice#key.pem\t\(reason)
        skipped\tdefault\t\(place)\talice#History\tearlier versions are not imported
        added\tdefault\t a/b\\tÜ \t

        """
    )
    #expect(try tool.secretText(place, "alice") == "hunter1<&ä😀<&")
    #expect(try tool.secretText(" a/b\tÜ ") == "")
    #expect(try tool.run("show", place, "alice").text.contains("comment: two\\nlines\n"))
  }

  @Test("KeePass XML: every end of a line is read as a newline, in CDATA too")
  func lineEnds() throws {
    let tool = try Tool.withVault()
    let title = "<String><Key>Title</Key><Value>t</Value></String>"
    let value = "<Value>1\r\n<![CDATA[2\r\n3\r4\n5\r]]>6\r</Value>"
    let entry = "<Entry>\(title)<String><Key>Password</Key>\(value)</String></Entry>"
    let text = "<KeePassFile><Root>\(entry)</Root></KeePassFile>"
    #expect(try tool.run("import", "-", input: .text(text)).exitCode == 0)
    #expect(try tool.secretText("t") == "1\n2\n3\n4\n5\n6\n")
  }

  @Test("1Password: columns in any order, unknown ones as items of their own")
  func onePassword() throws {
    let (tool, outcome) = try importing(.onePassword)
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.text == """
        added\tdefault\tgithub.com\talice
        added\tdefault\tgithub.com\talice#TOTP
        added\tdefault\tBank\tbob
        added\tdefault\tBank\tbob#Recovery

        """
    )
    #expect(try tool.secretText("Bank", "bob") == "hunter\"2")
    #expect(try tool.secretText("Bank", "bob#Recovery") == "hunter-codes")
  }

  @Test("env: the service is given or the file's name, and values are kept byte for byte")
  func environment() throws {
    let (tool, outcome) = try importing(.environment, "--service", "app")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.text == """
        added\tdefault\tapp\tAPI_KEY
        added\tdefault\tapp\tTOKEN
        added\tdefault\tapp\tEMPTY
        added\tdefault\tapp\tQUOTED\tthe quotes are part of the secret

        """
    )
    #expect(try tool.secretText("app", "TOKEN") == "hunter = 2")
    #expect(try tool.secretText("app", "EMPTY") == "")
    #expect(try tool.secretText("app", "QUOTED") == "\"hunter3\"")
    #expect(try importing(.environment).tool.secretText("sample", "API_KEY") == "hunter1")
    let input = ChildProcess.Stream.bytes(ImportSample.environment.bytes)
    #expect(try tool.run("import", "-", input: input).exitCode == 2)
    #expect(try tool.run("import", "-", "--service", "in", input: input).exitCode == 0)
    #expect(try tool.secretText("in", "API_KEY") == "hunter1")
  }

  @Test("JSON of our own: every attribute comes back, bytes and items without a secret too")
  func json() throws {
    let (tool, outcome) = try importing(.json)
    #expect(outcome.exitCode == 0)
    #expect(outcome.text.split(separator: "\n").count == 5)
    #expect(try tool.secret("bytes") == Array("hunter".utf8) + [0, 0xFF])
    #expect(try tool.secret("empty") == [])
    #expect(try tool.run("get", "none", "--synchronizable").exitCode == 3)
    let exported = try tool.run("export", "--format", "json", "--stdout").text
    #expect(exported.contains("\"account\":{\"encoding\":\"base64\",\"value\":\"/wA=\"}"))
    #expect(exported.contains("\"created\":\"2024-01-02T03:04:05.678Z\""))
    #expect(exported.contains("\"generic\":\"7\""))
    #expect(exported.contains("\"forms\":{\"generic\":\"number\"}"))
    #expect(exported.contains("\"application\":{\"64\":\"app\"}"))
    #expect(exported.contains("\"protocol\":\"htps\",\"authenticationType\":\"\",\"path\":\"/x\""))
    #expect(exported.contains("\"port\":443"))
    #expect(exported.contains("\"accessibility\":\"afterFirstUnlock\""))
  }

  @Test("keychain dump: text and hexadecimal data, generic and internet passwords, keys refused")
  func keychain() throws {
    let (tool, outcome) = try importing(.keychain)
    #expect(outcome.exitCode == 1)
    let reason = "it is no password, but a key, a certificate or another kind"
    #expect(
      outcome.text == """
        added\tdefault\tmyü\talice
        added\tdefault\texample.com:443/login\tsay "hi"
        refused\tdefault\t\t\t\(reason)
        added\tdefault\tempty\tback\\\\slash

        """
    )
    #expect(try tool.secretText("myü", "alice") == "hunter1")
    let bytes = Array("hunter".utf8) + [0, 0x0A]
    #expect(try tool.secret("example.com:443/login", "say \"hi\"") == bytes)
    #expect(try tool.secret("empty", "back\\slash") == [])
    let shown = try tool.run("show", "myü", "alice").text
    #expect(shown.contains("label: My service\n"))
    #expect(shown.contains("comment: a remark\n"))
  }

  @Test("the content tells the format as --format does", arguments: ImportSample.allCases)
  func recognition(sample: ImportSample) throws {
    let guessed = try importing(sample)
    let told = try importing(sample, "--format", sample.rawValue)
    #expect(guessed.outcome.text == told.outcome.text)
    #expect(!guessed.outcome.text.isEmpty)
  }

  @Test("an encrypted Bitwarden export is refused with what to do")
  func encrypted() throws {
    let tool = try Tool.withVault()
    let text = #"{"encrypted":true,"passwordProtected":true,"salt":"x","data":"2.hunter"}"#
    let outcome = try tool.run("import", "-", input: .text(text))
    #expect(outcome.exitCode == 2)
    #expect(outcome.errorText.contains("encrypted"))
    #expect(outcome.isOneErrorLine)
  }
}

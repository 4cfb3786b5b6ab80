import Foundation
import TestSupport
import Testing

/// What a request to the helper may look like.
@Suite("helper git, its requests")
struct GitRequestTests {
  private static let address = "protocol=https\nhost=h\n"

  private func helper(
    _ tool: Tool,
    _ verb: String,
    _ input: String
  ) throws -> ChildProcess.Outcome {
    try tool.run("helper", "git", verb, input: .text(input))
  }

  @Test(
    "a url stands for its parts, decoded",
    arguments: [
      ("https://example.com", "git:https://example.com", ""),
      ("https://u@example.com:80/", "git:https://example.com:80", "u"),
      ("https://a%40b%20c@example.com/x/y.git//", "git:https://example.com/x/y.git", "a@b c"),
      ("cert:///home/me/c%C3%BC.pem", "git:cert:///home/me/cü.pem", ""),
      ("https://u:p@example.com?q=1", "git:https://example.com/?q=1", "u"),
      ("https://example.com/a@b:c", "git:https://example.com/a@b:c", ""),
      ("https://[::1]:8080/x", "git:https://[::1]:8080/x", ""),
    ]
  )
  func urls(url: String, service: String, account: String) throws {
    let tool = try Tool.withVault()
    let name = url.contains("u@") || url.contains("u:") || url.contains("%40") ? "" : "username=\n"
    let stored = try helper(tool, "store", "username=lost\nurl=\(url)\n\(name)password=s\n")
    #expect(stored.exitCode == 0)
    #expect(try tool.secretText(service, account) == "s")
    #expect(try helper(tool, "get", "url=\(url)\n").text == "username=\(account)\npassword=s\n")
  }

  @Test("the password of a url is decoded too")
  func urlPassword() throws {
    let tool = try Tool.withVault()
    #expect(try helper(tool, "store", "url=https://u:p%3A%25%00@h\n").exitCode == 0)
    #expect(try tool.secretText("git:https://h", "u") == "p:%%00")
  }

  @Test(
    "a malformed request is 2, says nothing of its values, and stores nothing",
    arguments: [
      "protocol=https\nhost=h\nusername=u\npassword=s3cr\0et\n",
      "protocol=https\nhost=h\nusername=u\npassword=s3cr\ret\n",
      "protocol=https\nhost=h\nusername=u\ns3cret\n",
      "protocol=https\nhost=a/s3cret\nusername=u\npassword=x\n",
      "protocol=a:/s3cret\nhost=h\nusername=u\npassword=x\n",
      "url=s3cret.example.com\nusername=u\npassword=x\n",
      "url=://s3cret\nusername=u\npassword=x\n",
      "url=https://u:s3cret%0aprotocol=x@h\n", "url=https://h%0a\nusername=u\npassword=s3cret\n",
      "protocol=https\nhost=h\nusername=u\npassword=s3cret\npassword_expiry_utc=soon\n",
      "protocol=https\nhost=h\nusername=u\npassword=s3cret\npassword_expiry_utc=99999999999999999999\n",
    ]
  )
  func malformed(request: String) throws {
    let tool = try Tool.withVault()
    let outcome = try helper(tool, "store", request)
    #expect(outcome.exitCode == 2)
    #expect(outcome.isOneErrorLine)
    #expect(!outcome.errorText.contains("s3cr"))
    #expect(try tool.run("list").output.isEmpty)
  }

  @Test("a line has at most 64 KiB and a request 1 MiB")
  func limits() throws {
    let tool = try Tool.withVault()
    let password = String(repeating: "x", count: 64 * 1024 - "password=".count)
    let lines = Self.address + "username=u\n"
    #expect(try helper(tool, "store", lines + "password=\(password)\n").exitCode == 0)
    #expect(try tool.secretText("git:https://h", "u") == password)
    #expect(try helper(tool, "store", lines + "password=y\(password)\n").exitCode == 17)
    let padding = String(repeating: "x=\(String(repeating: "y", count: 1021))\n", count: 1024)
    #expect(try helper(tool, "store", lines + padding + "password=z\n").exitCode == 17)
    #expect(try tool.secretText("git:https://h", "u") == password)
  }
}

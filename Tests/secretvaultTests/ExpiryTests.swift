import Foundation
import TestSupport
import Testing

@Suite("--expires")
struct ExpiryTests {
  private func expiry(_ tool: Tool, _ service: String = "a") throws -> String? {
    let document = try tool.run("show", service, "--json").json()
    return (document["item"] as? [String: Any])?["expires"] as? String
  }

  @Test(
    "a moment is a date, a time in UTC, or what the output shows",
    arguments: [
      ("2027-01-31", "2027-01-31T00:00:00.000Z"),
      ("2028-02-29T23:59:59Z", "2028-02-29T23:59:59.000Z"),
      ("2027-01-31T10:00:00.250Z", "2027-01-31T10:00:00.250Z"),
      ("1970-01-01", "1970-01-01T00:00:00.000Z"),
      ("9999-12-31", "9999-12-31T00:00:00.000Z"),
    ]
  )
  func moments(text: String, shown: String) throws {
    let tool = try Tool.withVault()
    #expect(try tool.run("add", "a", "--expires", text, input: .text("x")).exitCode == 0)
    #expect(try expiry(tool) == shown)
  }

  @Test(
    "anything else is 2, and stores nothing",
    arguments: [
      "", "30", "2027", "30x", "d", "-1d", "1.5d", "30 d", "Never", "2027-1-31", "2027-02-29",
      "2027-13-01", "2027-00-01", "2027-01-31T24:00:00Z", "2027-01-31T10:00:60Z", "2027-01-31Z",
      "2027-01-31T10:00:00", "2027-01-31T10:00:00+01:00", "2027-01-31T10:00:00X",
      "2027-01-31 10:00:00Z", "27-01-31", "1969-12-31", "10000-01-01", "99999999999999999999d",
      "2027-01-31T10:00:00.Z", "2027-01-31T10:00:00.2Z", "+2027-01-31", "2027-01-+1",
    ]
  )
  func malformed(text: String) throws {
    let tool = try Tool.withVault()
    let outcome = try tool.run("set", "a", "--expires=\(text)", input: .text("x"))
    #expect(outcome.exitCode == 2)
    #expect(outcome.isOneErrorLine)
    #expect(try tool.run("list").output.isEmpty)
  }

  @Test("a length of time counts from now", arguments: [("30d", 30.0 * 86_400), ("12h", 43_200)])
  func lengths(text: String, seconds: Double) throws {
    let tool = try Tool.withVault()
    let before = Date.now
    #expect(try tool.run("set", "a", "--expires", text, input: .text("x")).exitCode == 0)
    let strategy = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let moment = try Date(try #require(try expiry(tool)), strategy: strategy)
    let distance = moment.timeIntervalSince(before) - seconds
    #expect((-0.002...60).contains(distance))
  }

  @Test("an item that has expired is 19, and stays so until its expiry is changed or taken away")
  func expired() throws {
    let tool = try Tool.withVault()
    #expect(try tool.run("set", "a", "--expires", "2001-01-01", input: .text("x")).exitCode == 0)
    let outcome = try tool.run("get", "a")
    #expect(outcome.exitCode == 19)
    #expect(outcome.output.isEmpty && outcome.isOneErrorLine)
    // A new secret alone keeps the date, so the advice must name it.
    #expect(outcome.errorText.contains("a later expiry date"))
    try tool.store("y", "a")
    #expect(try tool.run("get", "a").exitCode == 19)
    #expect(try tool.run("edit", "a", "--label", "L").exitCode == 0)
    #expect(try expiry(tool) == "2001-01-01T00:00:00.000Z")
    #expect(try tool.run("edit", "a", "--expires", "never").exitCode == 0)
    #expect(try expiry(tool) == nil)
    #expect(try tool.secretText("a") == "y")
  }

  @Test("--allow-expired gives out what has expired, and changes nothing else")
  func allowed() throws {
    let tool = try Tool.withVault()
    #expect(try tool.run("set", "a", "--expires", "2001-01-01", input: .text("x")).exitCode == 0)
    let outcome = try tool.run("get", "a", "--allow-expired")
    #expect(outcome.exitCode == 0)
    #expect(outcome.text == "x")
    #expect(try tool.run("get", "a").exitCode == 19)
    #expect(try tool.run("get", "b", "--allow-expired").exitCode == 3)
  }

  @Test("list --expiring shows what expires soon, and what has expired")
  func expiring() throws {
    let tool = try Tool.withVault()
    for (service, moment) in [("old", "2001-01-01"), ("soon", "12h"), ("later", "30d")] {
      let outcome = try tool.run("set", service, "--expires", moment, input: .text("x"))
      #expect(outcome.exitCode == 0)
    }
    try tool.store("x", "never")
    for (moment, services) in [
      ("1d", ["old", "soon"]), ("31d", ["later", "old", "soon"]), ("0s", ["old"]),
      ("2001-01-02", ["old"]), ("2001-01-01", []), ("9999-12-31", ["later", "old", "soon"]),
    ] {
      let outcome = try tool.run("list", "--expiring", moment)
      #expect(outcome.exitCode == 0)
      let found = outcome.text.split(separator: "\n").map { $0.split(separator: "\t")[1] }
      #expect(found.map(String.init) == services, "\(moment)")
    }
    let one = try tool.run("list", "--expiring=31d", "--service", "soon").text
    #expect(one == "default\tsoon\t\n")
    for text in ["", "30", "never", "x", "30x", "2001-1-1"] {
      #expect(try tool.run("list", "--expiring=\(text)").exitCode == 2, "\(text)")
    }
  }

  @Test("set and edit change it, also through the agent")
  func agent() throws {
    let tool = try Tool.withVault()
    #expect(try tool.run("unlock", "--key-file", tool.home.path("key")).exitCode == 0)
    let client = tool.withoutCredential
    let stored = try client.run("set", "a", "--expires", "2027-01-31", input: .text("x"))
    #expect(stored.exitCode == 0)
    #expect(try expiry(client) == "2027-01-31T00:00:00.000Z")
    #expect(try client.run("edit", "a", "--expires", "2001-01-01").exitCode == 0)
    #expect(try client.run("get", "a").exitCode == 19)
    #expect(try client.run("get", "a", "--allow-expired").text == "x")
    #expect(try client.run("list", "--expiring", "1d").text == "default\ta\t\n")
    #expect(try client.run("set", "a", "--expires", "never", input: .text("z")).exitCode == 0)
    #expect(try client.run("get", "a").text == "z")
  }
}

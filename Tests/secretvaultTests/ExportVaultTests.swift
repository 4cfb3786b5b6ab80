import Foundation
import SecretVault
import TestSupport
import Testing

@Suite("exports and vaults")
struct ExportVaultTests {
  @Test("L-7: a vault export has the synchronizable items only, under new keys and credentials")
  func synchronizableItems() throws {
    let tool = try Tool.withVault()
    try tool.store("plain", "s", "plain")
    for (account, options) in [
      ("sync", ["--synchronizable", "--label", "L", "--accessibility", "afterFirstUnlock"]),
      ("empty", ["--synchronizable"]),
      ("bound", ["--accessibility", "whenUnlockedThisDeviceOnly"]),
    ] {
      let words = ["set", "s", account] + options
      let input = account == "empty" ? "" : account
      #expect(try tool.start(words, input: .text(input)).finish().exitCode == 0)
    }
    let out = tool.home.path("out.vault")
    let key = tool.home.path("new-key")
    let made = try tool.run(
      "export",
      "--format",
      "vault",
      "--out",
      out,
      "--generate-key-file",
      key,
      "--recovery-code-file",
      tool.home.path("code")
    )
    #expect(made.exitCode == 0)
    #expect(try tool.home.mode(of: "out.vault") == 0o600)
    #expect(try tool.home.mode(of: "code") == 0o600)

    let new = { (words: [String]) in
      try tool.start(words + ["--vault", out, "--key-file", key]).finish()
    }
    #expect(try new(["list"]).text == "default\ts\tempty\ndefault\ts\tsync\n")
    #expect(try new(["get", "s", "sync", "--synchronizable"]).text == "sync")
    #expect(try new(["get", "s", "empty", "--synchronizable"]).output.isEmpty)
    let shown = try new(["show", "s", "sync", "--synchronizable"]).text
    #expect(shown.contains("label: L\n") && shown.contains("accessibility: afterFirstUnlock\n"))
    #expect(try new(["check"]).exitCode == 0)
    #expect(try tool.run("list", "--vault", out).exitCode == 8)
    let rows = try RawDatabase(out).rows("SELECT count(*) FROM box")
    #expect(rows == ["2"])
    #expect(try tool.run("list").text.split(separator: "\n").count == 4)
  }

  @Test("a vault export keeps the groups of its items")
  func groups() throws {
    var tool = try Tool()
    let key = try Credential.makeKeyFile()
    try key.write(toNewPrivateFile: tool.home.path("key"))
    tool.environment["SECRETVAULT_KEY_FILE"] = tool.home.path("key")
    tool.environment["SECRETVAULT_PATH"] = tool.home.path("vault")
    let store = try Self.store(tool, key, groups: ["default", "b", "c", "unused"])
    for group in ["b", "c"] {
      let identity = ItemIdentity(service: "s", group: group, isSynchronizable: true)
      try store.add(SecretItem(identity: identity), secret: SecretBytes(copying: Array(group.utf8)))
    }
    store.close()
    let out = tool.home.path("out.vault")
    let words = [
      "export", "--format", "vault", "--out", out, "--new-key-file", tool.home.path("key"),
    ]
    #expect(try tool.start(words).finish().exitCode == 0)
    #expect(try tool.run("list", "--vault", out).text == "b\ts\t\nc\ts\t\n")
    let get = ["get", "s", "--group", "c", "--synchronizable", "--vault", out]
    #expect(try tool.start(get).finish().text == "c")
  }

  @Test("an existing file is 5 before anything is asked, and a failure leaves no file")
  func refusals() throws {
    let tool = try Tool.withVault()
    let out = try tool.home.write("kept", to: "out")
    let words = ["export", "--format", "vault", "--generate-key-file", tool.home.path("new")]
    let existing = try tool.withoutCredential.start(words + ["--out", out]).finish()
    #expect(existing.exitCode == 5)
    #expect(tool.home.contents(of: "out") == Array("kept".utf8))
    let names = try tool.home.names()
    let failed = try tool.start(words + ["--out", "/proc/x/vault"]).finish()
    #expect(failed.exitCode != 0)
    let nobody = try tool.run("export", "--format", "vault", "--out", tool.home.path("x"))
    #expect(nobody.exitCode == 7)
    let either = try tool.start(words + ["--either", "--out", tool.home.path("x")]).finish()
    #expect(either.exitCode == 2)
    #expect(try tool.home.names() == names)
  }

  @Test("every attribute of both kinds of item is in the JSON export")
  func attributes() throws {
    var tool = try Tool()
    let key = try Credential.makeKeyFile()
    try key.write(toNewPrivateFile: tool.home.path("key"))
    tool.environment["SECRETVAULT_KEY_FILE"] = tool.home.path("key")
    tool.environment["SECRETVAULT_PATH"] = tool.home.path("vault")
    let store = try Self.store(tool, key, groups: ["default"])
    for (item, secret) in Self.items {
      try store.add(item, secret: secret.map(SecretBytes.init(copying:)))
    }
    store.close()

    let text = try tool.run("export", "--format", "json", "--stdout").text
    let document = try tool.run("export", "--format", "json", "--stdout").json()
    let items = try #require(document["items"] as? [[String: Any]])
    #expect(items.count == Self.items.count)
    let internet = try #require(items.first { $0["kind"] as? String == "internetPassword" })
    #expect(internet["service"] as? String == "example.com")
    #expect(internet["protocol"] as? String == "htps")
    #expect(internet["authenticationType"] as? String == "form")
    #expect(internet["securityDomain"] as? String == "realm")
    #expect(internet["port"] as? Int == 8443)
    #expect(internet["path"] as? String == "/x")
    #expect(internet["secret"] is NSNull)
    #expect(
      text.contains(
        "\"application\":{\"64\":\"first\",\"127\":{\"encoding\":\"base64\",\"value\":\"/w==\"}}"
      )
    )
    #expect(text.contains("\"forms\":{\"service\":\"data\",\"generic\":\"data\",\"127\":\"data\"}"))
    #expect(
      text.contains("\"creator\":4294967295,\"type\":0,\"invisible\":true,\"negative\":false")
    )
    #expect(
      text.contains(
        "\"description\":\"kind\",\"alias\":\"other\",\"generic\":{\"encoding\":\"base64\""
      )
    )

    let other = try Tool.withVault()
    let file = try other.home.write(text, to: "export.json")
    #expect(try other.run("import", file).exitCode == 0)
    #expect(try other.run("export", "--format", "json", "--stdout").text == text)
  }

  /// Items of both kinds that have everything.
  static var items: [(SecretItem, [UInt8]?)] {
    let generic = ItemIdentity(
      serviceValue: AttributeValue(data: Array("bytes".utf8)),
      account: "a\n\"b",
      isSynchronizable: true
    )
    var full = SecretItem(identity: generic, accessibility: .afterFirstUnlock)
    full.label = "label"
    full.comment = "line\n\u{1}\u{7F}é"
    full.itemDescription = "kind"
    full.alias = "other"
    full.generic = AttributeValue(data: [0, 0xFF])
    full.creator = .max
    full.itemType = 0
    full.isInvisible = true
    full.isNegative = false
    full.expires = Timestamp(millisecondsSince1970: 4_102_444_800_123)
    full[applicationAttribute: 64] = "first"
    full[applicationAttribute: 127] = AttributeValue(data: [0xFF])
    let internet = ItemIdentity(
      server: "example.com",
      account: "me",
      securityDomain: "realm",
      networkProtocol: "htps",
      authenticationType: "form",
      port: 8443,
      path: "/x"
    )
    return [(full, (0...255).map { UInt8($0) }), (SecretItem(identity: internet), nil)]
  }

  private static func store(
    _ tool: Tool,
    _ key: SecretBytes,
    groups: [String]
  ) throws -> SecretStore {
    var options = SecretStore.Options()
    options.stateDirectory = tool.home.path(".local/state/secretvault")
    let credential = Credential.keyFile(contents: key)
    let store = try SecretStore.create(
      at: tool.home.path("vault"),
      protectedBy: [.init(credential)],
      group: groups[0],
      options: options
    )
    let administration = try store.administration(with: credential)
    for group in groups.dropFirst() { try administration.createGroup(group) }
    administration.end()
    try store.unlock(with: credential)
    return store
  }
}

import Foundation
import TestSupport
import Testing

@Suite("README")
struct ReadmeTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The first block of a language that holds a word.
  private func block(_ language: String, with word: String) throws -> String {
    let text = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let parts = text.components(separatedBy: "```\(language)\n").dropFirst()
    let blocks = parts.compactMap { $0.components(separatedBy: "\n```").first }
    return try #require(blocks.first { $0.contains(word) })
  }

  @Test("its Swift program compiles as a client of the package, and stores and reads a token")
  func program() throws {
    let tool = try Tool.withVault()
    let package = tool.home.path("client")
    let sources = package + "/Sources/client"
    try FileManager.default.createDirectory(atPath: sources, withIntermediateDirectories: true)
    try """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "client",
      dependencies: [.package(name: "SecretVault", path: "\(Self.root.path)")],
      targets: [
        .executableTarget(
          name: "client",
          dependencies: [.product(name: "SecretVault", package: "SecretVault")]
        )
      ]
    )
    """.write(toFile: package + "/Package.swift", atomically: true, encoding: .utf8)
    let program = try block("swift", with: "import SecretVault")
    try program.write(toFile: sources + "/main.swift", atomically: true, encoding: .utf8)

    var environment = ProcessInfo.processInfo.environment
    environment["HOME"] = tool.home.path
    let vault = tool.home.path(Tool.vaultPath)
    let request = ChildProcess.Request(
      executable: "/usr/bin/env",
      arguments: [
        "swift", "run", "--quiet", "--disable-sandbox", "--package-path", package, "client", vault,
        tool.home.path("key"),
      ].map { Array($0.utf8) },
      environment: environment
    )
    let outcome = try ChildProcess(request).finish(within: .seconds(600))
    #expect(outcome.exitCode == 0, "\(outcome.text)\(outcome.errorText)")
    #expect(outcome.text.hasSuffix("the token has 5 bytes\n"))
    #expect(try tool.secretText("api.example.com", "alice") == "t0k3n")
  }

  @Test("its program has about ten lines, as it promises by its place")
  func length() throws {
    let lines = try block("swift", with: "import SecretVault").split(separator: "\n")
    #expect(lines.count <= 12)
  }
}

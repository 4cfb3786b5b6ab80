import Foundation
import SecretVault
import TestSupport
import Testing

/// The wall clock dates items and ends those that expire; nothing else depends on it.
@Suite("Clock jumps")
struct ClockTests {
  private static let year = 365 * 86_400
  private let vault: ProcessVault

  init() throws { vault = try ProcessVault() }

  private func run(_ verb: String, _ words: [String], shift: Int) throws -> [String] {
    var request = vault.worker(verb)
    request.arguments += words.map { Array($0.utf8) }
    request.environment["SHIFTED_CLOCK"] = String(shift)
    return try request.runToSuccess().text.split(separator: "\n").map(String.init)
  }

  @Test("C-14: before 1970 an item is dated 0, and the vault opens and raises no alarm as ever")
  func before1970() throws {
    let now = try run("keep", ["now", "60"], shift: 0)
    let before = try run("keep", ["then", "60"], shift: -80 * Self.year)
    #expect(before.contains("modified 0"))
    #expect(before.contains("token"))
    #expect(before.count == 3 && now.count == 3)
    #expect(try run("read", ["now"], shift: -80 * Self.year).contains("token"))
  }

  @Test("C-14: versions count commits whatever the clock says, and a jump is no roll-back")
  func jumps() throws {
    var versions: [String] = []
    for shift in [0, 200 * Self.year, -20 * Self.year, 0] {
      let lines = try run("keep", ["item", "60"], shift: shift)
      #expect(lines.count == 3 && lines.last == "token")
      versions.append(lines[0])
    }
    #expect(versions == (2...5).map { "version \($0)" })
    #expect(try vault.withStore { try $0.administration(with: vault.credential).check().isSound })
  }

  @Test("C-14: an item that expires is given out just as long as the clock says so")
  func expiry() throws {
    _ = try run("keep", ["item", "3600"], shift: 0)
    #expect(try run("read", ["item"], shift: 7200).last == "expired")
    #expect(try run("read", ["item"], shift: -7200).last == "token")
    #expect(try run("read", ["item"], shift: 0).last == "token")
  }
}

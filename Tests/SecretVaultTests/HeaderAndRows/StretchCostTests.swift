import Foundation
import SecretVault
import Testing
import VaultCrypto
import VaultFormat

/// What a file may ask for before anything is authenticated, and what a writer makes of its own accord.
@Suite("The cost of passphrase slots")
struct StretchCostTests {
  /// A vault whose only way in by passphrase is one cheap slot.
  private static func makeVault(log2N: UInt8 = 15) throws -> TemporaryVault {
    let vault = try TemporaryVault()
    try vault.createClosed(alsoProtectedBy: [.passphrase("correct horse", log2N: log2N)])
    return vault
  }

  private static func passphrase() throws -> Credential {
    .passphrase(try SecretBytes("correct horse"))
  }

  /// Opens the vault with the passphrase in one call and says how it failed.
  private static func code(_ vault: TemporaryVault) throws -> VaultError.Code? {
    let passphrase = try passphrase()
    return TemporaryVault.code {
      _ = try vault.open(lockState: AlwaysUnlocked { passphrase })
    }
  }

  /// Copies the passphrase slot until there are so many, under ids of their own.
  private static func multiply(_ count: Int, log2N: UInt8, in vault: TemporaryVault) throws {
    try vault.raw().editHead { head in
      let index = try head.slotIndex(factors: .passphrase)
      var slot = head.slots.remove(at: index)
      slot.record[3] = log2N
      for number in 0..<count {
        slot.record[8] = UInt8(number)
        head.slots.append(slot)
      }
      head.fixCounts()
    }
  }

  // These run in processes of their own: stretches and memory are counted for a whole process.

  @Test("S-4: a cost or function outside of the limits is refused without a stretch or its memory")
  func absurdCost() async {
    await #expect(processExitsWith: .success) {
      let vault = try StretchCostTests.makeVault()
      let raw = try vault.raw()
      let head = try raw.head()
      let index = try head.slotIndex(factors: .passphrase)
      let cases: [(function: UInt8, log2N: UInt8, code: VaultError.Code)] = [
        (1, 0, .kdfRefused), (1, 14, .kdfRefused), (1, 20, .kdfRefused), (1, 63, .kdfRefused),
        (1, 255, .kdfRefused), (0, 15, .corruptHeader), (7, 15, .corruptHeader),
      ]
      #expect(try StretchCostTests.code(vault) == nil)
      let stretches = Stretch.callCount
      try ProcessMemory.resetPeak()
      let before = try ProcessMemory.current()
      for (function, log2N, code) in cases {
        try raw.put(head)
        try raw.editHead { $0.slots[index].record.replaceSubrange(2..<4, with: [function, log2N]) }
        #expect(try StretchCostTests.code(vault) == code, "function \(function), log2N \(log2N)")
      }
      #expect(Stretch.callCount == stretches)
      let grown = try ProcessMemory.peak() - before
      #expect(grown < 20 << 20, "grew by \(grown) bytes")
    }
  }

  @Test("S-5: eight slots of the highest cost are refused before any is tried")
  func dearSlots() async {
    await #expect(processExitsWith: .success) {
      let vault = try StretchCostTests.makeVault()
      let stretches = Stretch.callCount
      try StretchCostTests.multiply(8, log2N: 19, in: vault)
      #expect(vault.openingCode() == nil)
      #expect(try StretchCostTests.code(vault) == .kdfRefused)
      #expect(Stretch.callCount == stretches)
    }
  }

  @Test("S-5: one slot by its name can be tried where all together cost too much")
  func namedSlot() throws {
    let vault = try Self.makeVault()
    let cheap = try vault.raw().head().slots
    try vault.raw().editHead { head in
      for number in UInt8(0)..<2 {
        var slot = head.slots[try head.slotIndex(factors: .passphrase)]
        slot.record.replaceSubrange(8..<10, with: [0xff, number])
        slot.record[3] = 19
        head.slots.append(slot)
      }
      head.fixCounts()
    }
    #expect(try vault.unlockingCode(Self.passphrase()) == .kdfRefused)
    var options = vault.options
    let slot = try #require(cheap.first { $0.record[1] == Factors.passphrase.rawValue })
    options.slot = slot.id.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let store = try SecretStore.open(at: vault.path, options: options)
    // The slot opens, and the admin tag tells that the others were put in.
    #expect(throws: VaultError(.tampered)) { try store.unlock(with: Self.passphrase()) }
  }

  @Test("S-6: more slots than a vault may have are a damaged head", arguments: [true, false])
  func tooManySlots(havePassphrase: Bool) async {
    await #expect(processExitsWith: .success) { [havePassphrase] in
      let vault = try StretchCostTests.makeVault()
      let stretches = Stretch.callCount
      if havePassphrase {
        try StretchCostTests.multiply(9, log2N: 15, in: vault)
      } else {
        try vault.raw().editHead { head in
          var slot = head.slots[try head.slotIndex(factors: .keyFile)]
          for number in head.slots.count..<65 {
            slot.record.replaceSubrange(8..<10, with: [0xff, UInt8(number)])
            head.slots.append(slot)
          }
          head.fixCounts()
        }
      }
      #expect(try StretchCostTests.code(vault) == .corruptHeader)
      #expect(Stretch.callCount == stretches)
    }
  }

  @Test("S-7: a slot made to look cheaper does not open, and the file is left as it is")
  func downgradedCost() throws {
    let vault = try Self.makeVault(log2N: 17)
    try vault.raw().editHead { head in
      head.slots[try head.slotIndex(factors: .passphrase)].record[3] = 15
    }
    let before = try vault.fileBytes()
    #expect(try vault.unlockingCode(Self.passphrase()) == .credentialRejected)
    #expect(try vault.fileBytes() == before)
  }

  @Test("S-8: a weak slot opens with a notice, and its rewrite has the local cost and a new salt")
  func weakSlot() throws {
    let vault = try Self.makeVault()
    let before = try vault.raw().head()
    let old = before.slots[try before.slotIndex(factors: .passphrase)]
    let store = try vault.open()
    try store.unlock(with: Self.passphrase())
    #expect(store.takeNotices().contains(.weakSlot))
    try store.administration(with: Self.passphrase()).changePassphrase(to: SecretBytes("new"))
    store.close()
    let after = try vault.raw().head()
    let new = after.slots[try after.slotIndex(factors: .passphrase)]
    #expect(new.record[3] >= 17)
    #expect(new.record[40..<64] != old.record[40..<64])
    #expect(!after.slots.contains(old))
  }

  @Test("S-12: a new slot takes neither cost nor salt from the file")
  func independentSlot() throws {
    let vault = try Self.makeVault()
    let store = try vault.openUnlocked()
    let before = try vault.raw().head().slots
    let slot = SecretStore.NewSlot(.passphrase(try SecretBytes("second")))
    try store.administration(with: vault.credential).addSlot(slot)
    store.close()
    let added = try vault.raw().head().slots.filter { !before.contains($0) }
    #expect(added.count == 1)
    #expect(added.allSatisfy { $0.record[3] >= 17 })
    let salts = try vault.raw().head().slots.map { $0.record[40..<64] }
    #expect(Set(salts).count == 3)
  }
}

/// The resident memory of this process, as the kernel counts it.
private enum ProcessMemory {
  /// Forgets the peak so far (proc(5), clear_refs).
  static func resetPeak() throws {
    try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
  }

  static func current() throws -> Int { try kilobytes("VmRSS:") * 1024 }

  static func peak() throws -> Int { try kilobytes("VmHWM:") * 1024 }

  private static func kilobytes(_ field: String) throws -> Int {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/status"))
    let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix(field) } ?? ""
    return try #require(line.split(separator: " ").dropLast().last.flatMap { Int($0) })
  }
}

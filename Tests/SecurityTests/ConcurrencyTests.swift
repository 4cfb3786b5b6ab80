import Foundation
import SecretVault
import Security
import Synchronization
import Testing

/// Many threads, and several openings of one vault, at once.
@Suite("Concurrency")
struct ConcurrencyTests {
  /// How many threads a test starts; `SECRETVAULT_TEST_THREADS` sets another number.
  private static let threadCount =
    ProcessInfo.processInfo.environment["SECRETVAULT_TEST_THREADS"].flatMap { Int($0) } ?? 200

  @Test("many threads add, read, change and remove items of their own, and none is lost")
  func ownItems() throws {
    let keychain = try TestKeychain()
    let failures = Mutex<[String]>([])
    inThreads(Self.threadCount) { number in
      let steps = [
        keychain.add(password("\(number)", ["v_Data": Data("1".utf8)])),
        keychain.copy(password("\(number)", ["r_Data": true])).status,
        keychain.update(password("\(number)"), to: ["v_Data": Data("2".utf8)]),
        keychain.copy(["class": "genp", "acct": "\(number)", "r_Attributes": true]).status,
        number.isMultiple(of: 2) ? keychain.delete(password("\(number)")) : errSecSuccess,
      ]
      if steps.contains(where: { $0 != errSecSuccess }) {
        failures.withLock { $0.append("\(number): \(steps)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    for number in 0..<Self.threadCount {
      let found = keychain.copy(password("\(number)", ["r_Data": true]))
      if number.isMultiple(of: 2) {
        #expect(found.status == errSecItemNotFound)
      } else {
        #expect(found.result as? Data == Data("2".utf8))
      }
    }
  }

  @Test("an update that is followed by an add where nothing was found never ends in a duplicate")
  func upsertInOnePlace() throws {
    let keychain = try TestKeychain()
    let upserting = Mutex(())
    let statuses = Mutex<[OSStatus: Int]>([:])
    inThreads(Self.threadCount) { number in
      let secret = ["v_Data": Data("\(number)".utf8)]
      // The client's one place: two calls are two transactions, on Apple's keychain as well.
      let status = upserting.withLock { _ in
        let status = keychain.update(password("shared"), to: secret)
        return status == errSecItemNotFound ? keychain.add(password("shared", secret)) : status
      }
      statuses.withLock { $0[status, default: 0] += 1 }
    }
    #expect(statuses.withLock { $0 } == [errSecSuccess: Self.threadCount])
    let all: [String: Any] = ["class": "genp", "m_Limit": "m_LimitAll", "r_Data": true]
    #expect((keychain.copy(all).result as? [Data])?.count == 1)
  }

  @Test("of many adds of one name one succeeds, and updates of it all do")
  func addsOfOneName() throws {
    let keychain = try TestKeychain()
    let statuses = Mutex<[OSStatus: Int]>([:])
    inThreads(Self.threadCount) { number in
      let added = keychain.add(password("one", ["v_Data": Data("\(number)".utf8)]))
      if added == errSecDuplicateItem {
        let updated = keychain.update(password("one"), to: ["labl": "\(number)"])
        statuses.withLock { $0[updated, default: 0] += 1 }
      } else {
        statuses.withLock { $0[added, default: 0] += 1 }
      }
    }
    #expect(statuses.withLock { $0 } == [errSecSuccess: Self.threadCount])
  }

  @Test("two openings of one vault follow each other's writes, in queries by a part of a name too")
  func twoOpenings() throws {
    let first = try TestKeychain()
    let second = try TestKeychain(reopening: first, groups: ["default"])
    let byAccount: [String: Any] = ["class": "genp", "acct": "a"]
    for round in 0..<20 {
      let (writer, reader) = round.isMultiple(of: 2) ? (first, second) : (second, first)
      #expect(reader.copy(byAccount).status == errSecItemNotFound)
      #expect(writer.add(password("a", ["labl": "\(round)"])) == errSecSuccess)
      #expect(reader.copy(byAccount.merging(["labl": "\(round)"]) { $1 }).status == errSecSuccess)
      #expect(reader.update(byAccount, to: ["labl": "changed"]) == errSecSuccess)
      #expect(
        writer.copy(byAccount.merging(["labl": "\(round)"]) { $1 }).status == errSecItemNotFound
      )
      #expect(writer.copy(byAccount.merging(["labl": "changed"]) { $1 }).status == errSecSuccess)
      #expect(writer.delete(byAccount) == errSecSuccess)
    }
  }

  @Test("a query by a whole name that returns nothing sees what another opening did")
  func existence() throws {
    let first = try TestKeychain()
    let second = try TestKeychain(reopening: first, groups: ["default"])
    #expect(first.add(password("a")) == errSecSuccess)
    for _ in 0..<3 {
      #expect(second.copy(password("a")).status == errSecSuccess)
      #expect(second.copy(password("a", ["pdmn": "ck"])).status == errSecItemNotFound)
      #expect(first.update(password("a"), to: ["pdmn": "ck"]) == errSecSuccess)
      #expect(second.copy(password("a", ["pdmn": "ak"])).status == errSecItemNotFound)
      let read = password("a", ["pdmn": "ck", "r_Attributes": true])
      #expect(second.copy(read).status == errSecSuccess)
      #expect(first.delete(password("a")) == errSecSuccess)
      #expect(second.copy(password("a")).status == errSecItemNotFound)
      #expect(first.add(password("a")) == errSecSuccess)
    }
  }

  @Test("an item that moves between groups, and from local to synchronizable, is always found once")
  func moving() throws {
    let keychain = try TestKeychain(groups: ["first", "second"])
    let other = try TestKeychain(reopening: keychain, groups: ["first", "second"])
    #expect(keychain.add(password("a", ["v_Data": Data("s".utf8)])) == errSecSuccess)
    let moves = Mutex(0)
    let statuses = Mutex<Set<OSStatus>>([])
    let counts = Mutex<Set<Int>>([])
    inThreads(2) { thread in
      let query = password("a", ["sync": "syna"])
      while moves.withLock({ $0 }) < 200 {
        if thread == 0 {
          let round = moves.withLock { $0 }
          let group = round.isMultiple(of: 4) ? "second" : "first"
          let change: [String: Any] =
            round.isMultiple(of: 2) ? ["agrp": group] : ["sync": round % 4 == 1]
          let status = other.update(query, to: change)
          statuses.withLock { _ = $0.insert(status) }
          moves.withLock { $0 += 1 }
        } else {
          let read = keychain.copy(query.merging(["r_Data": true]) { $1 }).status
          statuses.withLock { _ = $0.insert(read) }
          let all = keychain.copy(query.merging(["r_Data": true, "m_Limit": "m_LimitAll"]) { $1 })
          counts.withLock { _ = $0.insert((all.result as? [Data])?.count ?? 0) }
        }
      }
    }
    #expect(statuses.withLock { $0 } == [errSecSuccess])
    #expect(counts.withLock { $0 } == [1])
  }

  @Test("locks and unlocks in between lose nothing, and give no other answer than locked")
  func lockingMeanwhile() throws {
    let keychain = try TestKeychain()
    let count = 20
    for number in 0..<count {
      #expect(
        keychain.add(password("\(number)", ["v_Data": Data("\(number)".utf8)])) == errSecSuccess
      )
    }
    let others = Mutex<Set<OSStatus>>([])
    let isDone = Mutex(false)
    inThreads(9) { thread in
      if thread == 8 {
        for _ in 0..<30 {
          keychain.lock()
          do { try keychain.unlock() } catch { others.withLock { _ = $0.insert(1) } }
        }
        isDone.withLock { $0 = true }
        return
      }
      while !isDone.withLock({ $0 }) {
        let number = Int.random(in: 0..<count)
        let byAccount: [String: Any] = ["class": "genp", "acct": "\(number)", "r_Data": true]
        for query in [password("\(number)", ["r_Data": true]), byAccount] {
          let (status, result) = keychain.copy(query)
          if status == errSecSuccess, result as? Data != Data("\(number)".utf8) {
            others.withLock { _ = $0.insert(2) }
          }
          others.withLock { _ = $0.insert(status) }
        }
      }
    }
    #expect(others.withLock { $0 }.isSubset(of: [errSecSuccess, errSecInteractionNotAllowed]))
    for number in 0..<count {
      #expect(keychain.copy(password("\(number)")).status == errSecSuccess)
    }
  }

  /// Runs `body` in as many threads at once, and waits for them all.
  private func inThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for number in 0..<count {
      group.enter()
      let thread = Thread {
        body(number)
        group.leave()
      }
      thread.start()
    }
    group.wait()
  }
}

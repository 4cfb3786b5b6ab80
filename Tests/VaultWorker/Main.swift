import Glibc
import SecretVault

/// The program that the process tests start, kill and watch.
///
/// `VaultWorker VERB VAULT STATE KEYFILE [WORD…]`; it prints what went wrong and ends with 1 where a verb
/// fails. Secrets come from files, never from the arguments.
@main
struct Main {
  static func main() {
    let words = CommandLine.arguments
    guard words.count >= 5 else {
      print("usage: VaultWorker VERB VAULT STATE KEYFILE [WORD…]")
      exit(2)
    }
    let vault = WorkingVault(path: words[2], statePath: words[3], keyPath: words[4])
    do {
      try run(words[1], on: vault, Array(words[5...]))
    } catch {
      print(error)
      exit(1)
    }
  }

  private static func run(_ verb: String, on vault: WorkingVault, _ words: [String]) throws {
    switch (verb, words.count) {
    case ("create", 0): try vault.createAndVanish()
    case ("increment", 2): try vault.increment(words[0], times: Int(words[1]) ?? 0)
    case ("change-passphrase", 2): try vault.changePassphrase(from: words[0], to: words[1])
    case ("count-calls", 1): try vault.countCalls(unlockingWith: words[0])
    case ("follow-agent", 1): try vault.followAgent(reading: words[0])
    case ("keep", 2): try vault.keep(words[0], expiringAfter: UInt64(words[1]) ?? 0)
    case ("read", 1): try vault.read(words[0])
    case ("crash", 3): try vault.crash(words[0], words[1], holding: words[2])
    case ("write-randomly", 2): try vault.writeRandomly(words[0], times: Int(words[1]) ?? 0)
    case ("observe", 0): try vault.observe()
    case ("observe-idly", 1): try vault.observeIdly(creating: words[0])
    case ("read-in-threads", 3):
      try vault.read(words[0], inThreads: Int(words[1]) ?? 0, times: Int(words[2]) ?? 0)
    default:
      print("there is no verb \(verb) with \(words.count) words")
      exit(2)
    }
  }
}

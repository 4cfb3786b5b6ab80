import Glibc
import SecretVault
import VaultAgent

/// The program that the tests of the agent start, watch and kill.
///
/// `AgentWorker serve IDLE LIFETIME UNIT PAUSE` serves, with times in milliseconds and 0 for none, and says `ready` on
/// standard output. The socket is where the environment says.
@main
struct Main {
  static func main() {
    ProcessHardening.apply()
    let words = CommandLine.arguments
    do {
      switch (words.dropFirst().first, words.count) {
      case ("serve", 6): try serve(words[2...].map { Int64($0) ?? 0 })
      case ("read", 4): try read(vault: words[2], times: Int(words[3]) ?? 0)
      default:
        print("usage: AgentWorker serve IDLE LIFETIME UNIT PAUSE | read VAULT TIMES")
        exit(2)
      }
    } catch {
      print(error)
      exit(1)
    }
  }

  private static func serve(_ milliseconds: [Int64]) throws {
    let times = milliseconds.map { Duration.milliseconds($0) }
    var configuration = AgentServer.Configuration(
      idle: times[0] == .zero ? nil : times[0],
      lifetime: times[1] == .zero ? nil : times[1],
      readyDescriptor: STDOUT_FILENO
    )
    configuration.pauseUnit = times[2]
    configuration.monitorPause = times[3]
    try AgentServer.run(configuration)
  }

  /// Reads the secret of `service` through the agent, again and again, and writes how often that went well.
  private static func read(vault path: String, times: Int) throws {
    guard let store = try AgentStore.connect(toVaultAt: path) else { exit(3) }
    var count = 0
    for _ in 0..<times {
      if try store.secret(for: ItemIdentity(service: "service"))?.count == 6 { count += 1 }
    }
    print(count)
  }
}

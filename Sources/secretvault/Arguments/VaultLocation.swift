import Glibc
import SecretVault
import VaultAgent

/// Where the vault and its state are, and how it is to be opened.
struct VaultLocation {
  let path: String
  let options: SecretStore.Options

  /// Finds both from the arguments, else from variables, else by default.
  ///
  /// - Throws: A usage failure for a malformed option, or where no home folder is known.
  init(_ arguments: ParsedArguments) throws(Failure) {
    path = try Self.path(arguments)
    var options = SecretStore.Options()
    options.stateDirectory = try Self.stateDirectory(arguments)
    options.allowsForeignOwner = arguments.has(.allowForeignOwner)
    options.requiresAnchor = arguments.has(.requireAnchor)
    options.allowsUnlockedMemory = arguments.has(.allowUnlockedMemory)
    options.sharedWith = try Self.sharingGroup(arguments)
    options.slot = arguments.value(of: .slot)
    options.kdfLimit = try arguments.number(of: .kdfLimit, in: 1...63).map { Int($0) }
    self.options = options
  }

  /// The path as it may be shown.
  var shownPath: String { TextEscaping.escaped(path) }

  /// Opens the vault, locked.
  ///
  /// - Throws: A failure that names the path.
  func open() throws(Failure) -> SecretStore {
    do throws(VaultError) {
      return try SecretStore.open(at: path, options: options)
    } catch {
      throw Failure(error).prefixed(with: shownPath)
    }
  }

  /// The items as the agent holds them, or `nil` where none runs.
  ///
  /// - Throws: A failure; it names the path where there can be no vault.
  func agentStore() throws(Failure) -> AgentStore? {
    do throws(VaultError) {
      return try AgentStore.connect(toVaultAt: path)
    } catch {
      let failure = Failure(error)
      throw error.code == .vaultMissing ? failure.prefixed(with: shownPath) : failure
    }
  }

  /// Checks that there is a file at the path.
  ///
  /// - Throws: A failure that names the path.
  func requireVault() throws(Failure) {
    guard unsafe access(path, F_OK) != 0, errno == ENOENT || errno == ENOTDIR else { return }
    throw Failure(VaultError(.vaultMissing)).prefixed(with: shownPath)
  }

  /// Makes the vault.
  ///
  /// - Throws: A failure that names the path.
  func create(
    protectedBy slots: [SecretStore.NewSlot],
    group: String
  ) throws(Failure) -> SecretStore {
    do throws(VaultError) {
      return try SecretStore.create(at: path, protectedBy: slots, group: group, options: options)
    } catch {
      throw Failure(error).prefixed(with: shownPath)
    }
  }

  private static func path(_ arguments: ParsedArguments) throws(Failure) -> String {
    if let path = try value(of: .vault, orVariable: "SECRETVAULT_PATH", in: arguments) {
      if path.isEmpty { throw .usage("the path of the vault is empty; give --vault PATH") }
      return path
    }
    let data = try dataFolder("XDG_DATA_HOME", orUnderHome: ".local/share", remedy: .vault)
    return data + "/secretvault/default.vault"
  }

  private static func stateDirectory(_ arguments: ParsedArguments) throws(Failure) -> String {
    if let path = try value(of: .state, orVariable: "SECRETVAULT_STATE", in: arguments) {
      if path.isEmpty { throw .usage("the path of the state is empty; give --state DIR") }
      return path
    }
    // systemd.exec(5): several state directories are joined with colons.
    let folders = try ProcessEnvironment.value(of: "STATE_DIRECTORY")?.split(separator: ":")
    if let first = folders?.first { return String(first) }
    let state = try dataFolder("XDG_STATE_HOME", orUnderHome: ".local/state", remedy: .state)
    return state + "/secretvault"
  }

  private static func sharingGroup(_ arguments: ParsedArguments) throws(Failure) -> UnixGroup? {
    guard
      let name = try value(of: .sharedWith, orVariable: "SECRETVAULT_SHARED_WITH", in: arguments)
    else { return nil }
    do { return try UnixGroup(name) } catch { throw Failure(error) }
  }

  private static func value(
    of option: Option,
    orVariable variable: String,
    in arguments: ParsedArguments
  ) throws(Failure) -> String? {
    if let value = arguments.value(of: option) { return value }
    return try ProcessEnvironment.value(of: variable)
  }

  /// A base folder of the XDG specification, which says that a relative one is to be ignored.
  private static func dataFolder(
    _ variable: String,
    orUnderHome fallback: String,
    remedy: Option
  ) throws(Failure) -> String {
    if let folder = try ProcessEnvironment.value(of: variable), folder.hasPrefix("/") {
      return folder
    }
    guard let home = try ProcessEnvironment.value(of: "HOME"), home.hasPrefix("/") else {
      throw .usage("HOME is not set; set it, or give \(remedy.usage)")
    }
    return home + "/" + fallback
  }
}

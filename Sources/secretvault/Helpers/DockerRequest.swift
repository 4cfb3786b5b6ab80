import SecretVault

/// A user and a secret for a registry of docker.
struct DockerCredential {
  let server: String
  let username: String
  let secret: SecretBytes
}

/// What docker writes to a credential helper.
enum DockerRequest {
  /// Reads the address of a server, without the space around it.
  ///
  /// - Throws: A failure: none is given, or no text.
  static func server() throws -> String {
    let input = try read()
    let text = input.withBytes { bytes in
      String(validating: bytes.array, as: UTF8.self)
    }
    guard let text else { throw Failure.usage("the server URL is no UTF-8; correct it") }
    var server = text[...]
    while server.first?.isWhitespace ?? false { server.removeFirst() }
    while server.last?.isWhitespace ?? false { server.removeLast() }
    if server.isEmpty { throw Failure.dockerServerMissing }
    return String(server)
  }

  /// Reads `{"ServerURL":…,"Username":…,"Secret":…}`; other members are passed over.
  ///
  /// - Throws: A failure: malformed, or without a server or a user.
  static func credential() throws -> DockerCredential {
    try read().withBytes { text in
      let document: JSONNode
      do throws(ImportFlaw) {
        document = try JSONReader.document(in: text)
      } catch {
        throw Failure.dockerRequestMalformed
      }
      guard case .object(let members) = document.value else { throw Failure.dockerRequestMalformed }
      var strings: [String: EncodedValue] = [:]
      for (name, node) in members {
        let name = name.bytes(in: text)
        guard
          let name = ["ServerURL", "Username", "Secret"].first(where: { Array($0.utf8) == name })
        else { continue }
        guard case .string(let value) = node.value else { throw Failure.dockerRequestMalformed }
        strings[name] = value
      }
      func plain(_ name: String) -> String {
        strings[name].map { String(decoding: $0.bytes(in: text), as: UTF8.self) } ?? ""
      }
      let server = plain("ServerURL")
      let username = plain("Username")
      if server.isEmpty { throw Failure.dockerServerMissing }
      if username.isEmpty { throw Failure.dockerUsernameMissing }
      let secret = try (strings["Secret"] ?? .empty).secret(in: text)
      return DockerCredential(server: server, username: username, secret: secret)
    }
  }

  private static func read() throws -> SecretBytes {
    try SecretReader.read(.standardInput, limit: SecretReader.secretLimit, name: "the request")
  }
}

extension Failure {
  // The texts of docker-credential-helpers, by which docker tells these failures from others.

  static let dockerCredentialsNotFound = Failure(
    .itemNotFound,
    name: "itemNotFound",
    "credentials not found in native keychain"
  )
  static let dockerServerMissing = Failure.usage("no credentials server URL")
  static let dockerUsernameMissing = Failure.usage("no credentials username")

  static let dockerRequestMalformed = Failure.usage(
    "the request is no JSON object with ServerURL, Username and Secret; correct it"
  )
}

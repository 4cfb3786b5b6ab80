import SecretVault

/// What git says about a credential to a helper, whole or in part (git-credential(1), input/output format).
struct GitRequest {
  var networkProtocol: [UInt8]?
  /// The host, with its port if one is given.
  var host: [UInt8]?
  var path: [UInt8]?
  var username: [UInt8]?
  var password: SecretBytes?
  /// From when on the password is no good.
  var expires: Timestamp?
  var refreshToken: SecretBytes?

  /// Describes nothing yet.
  init() {}

  /// Reads the lines `key=value` to a blank one or the end; unknown keys are passed over.
  ///
  /// - Throws: A usage failure for a line of another form, with a zero byte or a return in it, or with a
  ///   malformed url, protocol, host or expiry; a failure for too long an input.
  init(reading descriptor: Descriptor) throws {
    var request = GitRequest()
    try SecretLines.read(descriptor, name: "the request") { line in
      if line.isEmpty { return false }
      try request.take(line)
      return true
    }
    try request.requireForm()
    self = request
  }

  private mutating func take(_ line: Span<UInt8>) throws {
    guard Self.isOneLine(line) else {
      throw Failure.usage("the request has a zero byte or a return in it; leave it out")
    }
    guard let equals = line.firstIndex(of: UInt8(ascii: "="), in: line.indices) else {
      throw Failure.usage("the request has a line that is not key=value; see git-credential(1)")
    }
    let key = line.extracting(0..<equals)
    let value = line.extracting((equals + 1)..<line.count)
    if key.equals("url") {
      self = try GitURL(value).request(value)
    } else if key.equals("protocol") {
      networkProtocol = value.array
    } else if key.equals("host") {
      host = value.array
    } else if key.equals("path") {
      path = value.array
    } else if key.equals("username") {
      username = value.array
    } else if key.equals("password") {
      password = try SecretBytes(value)
    } else if key.equals("password_expiry_utc") {
      expires = try Self.moment(value.array)
    } else if key.equals("oauth_refresh_token") {
      refreshToken = try SecretBytes(value)
    }
  }

  /// Whether a value fits into a line of the protocol and comes out of it as it went in.
  static func isOneLine(_ value: Span<UInt8>) -> Bool {
    value.firstIndex(in: value.indices) {
      [0, UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains($0)
    }
      == nil
  }

  /// A moment in seconds since 1970.
  private static func moment(_ digits: [UInt8]) throws(Failure) -> Timestamp {
    let seconds = try ParsedArguments.number(
      String(decoding: digits, as: UTF8.self),
      in: 0...(UInt64.max / 1000),
      for: "password_expiry_utc"
    )
    return Timestamp(millisecondsSince1970: seconds * 1000)
  }

  /// Refuses what could be read as the name of another credential, and what does not fit into a line.
  private func requireForm() throws(Failure) {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let isScheme = (networkProtocol ?? []).allSatisfy { byte in
      letters.contains(byte) || capitals.contains(byte) || digits.contains(byte)
        || "+-.".utf8.contains(byte)
    }
    let hasSlash = host?.contains(UInt8(ascii: "/")) ?? false
    guard isScheme, !hasSlash else {
      throw .usage("the request has a malformed protocol or host; correct the address")
    }
    let parts = [host, path, username].compactMap(\.self)
    let areLines = parts.allSatisfy { Self.isOneLine($0.span) }
    guard areLines, password.map({ $0.withBytes(Self.isOneLine) }) ?? true else {
      throw .usage("the url of the request hides a line break; correct the address")
    }
  }
}

extension GitRequest {
  /// Under which service the credential is kept; `nil` where the request does not say what it is for.
  var service: AttributeValue? { service(prefix: "git:") }

  /// Under which service its refresh token is kept.
  var refreshService: AttributeValue? { service(prefix: "git-refresh:") }

  private func service(prefix: String) -> AttributeValue? {
    guard let networkProtocol, let host else { return nil }
    let path = path ?? []
    if networkProtocol.isEmpty || (host.isEmpty && path.isEmpty) { return nil }
    let address = networkProtocol + Array("://".utf8) + host
    let suffix = path.isEmpty ? [] : [UInt8(ascii: "/")] + path
    return AttributeValue(name: Array(prefix.utf8) + address + suffix)
  }
}

extension AttributeValue {
  /// A name as it came from another program: text where it is UTF-8, else data.
  init(name bytes: [UInt8]) {
    if let text = String(validating: bytes, as: UTF8.self) {
      self.init(text)
    } else {
      self.init(data: bytes)
    }
  }
}

import SecretVault

/// The parts of a URL, as git takes it apart (git-credential(1), the key `url`).
struct GitURL {
  private let scheme: Range<Int>
  private let user: Range<Int>?
  private let password: Range<Int>?
  private let host: Range<Int>
  private let path: Range<Int>

  /// Finds the parts: `scheme://[user[:password]@]host[/path]`.
  ///
  /// The first of `/`, `?` and `#` ends the host. Slashes around the path do not count.
  ///
  /// - Throws: A usage failure where there is no scheme.
  init(_ url: Span<UInt8>) throws(Failure) {
    guard let separator = url.firstIndex(of: "://", from: 0), separator > 0 else {
      throw .usage("the url of the request has no scheme; give one such as https://")
    }
    scheme = 0..<separator
    let start = separator + 3
    let isEnd: (UInt8) -> Bool = { "/?#".utf8.contains($0) }
    let hostEnd = url.firstIndex(in: start..<url.count, where: isEnd) ?? url.count
    if let at = url.firstIndex(of: UInt8(ascii: "@"), in: start..<hostEnd) {
      let colon = url.firstIndex(of: UInt8(ascii: ":"), in: start..<at)
      user = start..<(colon ?? at)
      password = colon.map { ($0 + 1)..<at }
      host = (at + 1)..<hostEnd
    } else {
      user = nil
      password = nil
      host = start..<hostEnd
    }
    var path = hostEnd..<url.count
    while let first = path.first, url[first] == UInt8(ascii: "/") { path = path.dropFirst() }
    self.path = path
  }

  /// The request for the parts, decoded; parts that are not there stay `nil`.
  ///
  /// - Throws: An error where no locked memory is left.
  func request(_ url: Span<UInt8>) throws -> GitRequest {
    var request = GitRequest()
    request.networkProtocol = url.extracting(scheme).array
    request.host = Self.decoded(url.extracting(host))
    request.path = decodedPath(url)
    request.username = user.map { Self.decoded(url.extracting($0)) }
    request.password = try password.map { try Self.decodedSecret(url.extracting($0)) }
    return request
  }

  private func decodedPath(_ url: Span<UInt8>) -> [UInt8]? {
    if path.isEmpty { return nil }
    var bytes = Self.decoded(url.extracting(path))
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return bytes
  }

  private static func decoded(_ part: Span<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    forEachByte(of: part) { bytes.append($0) }
    return bytes
  }

  private static func decodedSecret(_ part: Span<UInt8>) throws -> SecretBytes {
    var count = 0
    forEachByte(of: part) { _ in count += 1 }
    return try SecretBytes(count: count) { target in
      var position = 0
      forEachByte(of: part) { byte in
        target[position] = byte
        position += 1
      }
    }
  }

  /// Decodes `%XX`, but for `%00`, and as git does not before a colon: so a host with a port keeps its
  /// letters.
  private static func forEachByte(of part: Span<UInt8>, _ body: (UInt8) -> Void) {
    let colon = part.firstIndex(of: UInt8(ascii: ":"), in: part.indices) ?? 0
    var place = 0
    while place < part.count {
      if place >= colon, part[place] == UInt8(ascii: "%"), place + 2 < part.count,
        let high = part[place + 1].hexadecimalValue, let low = part[place + 2].hexadecimalValue,
        high << 4 | low != 0
      {
        body(high << 4 | low)
        place += 3
      } else {
        body(part[place])
        place += 1
      }
    }
  }
}

import SecretMemory
import VaultCrypto
import VaultDatabase
import VaultFormat

/// One connection and the keyed contexts that go with it, used by one thread at a time.
final class Session {
  let connection: any DatabaseConnection
  let cipher: GCM
  let cache: PageCache
  /// Which unlocking the contexts belong to.
  private var generation: UInt64 = 0
  private var contexts: [Identifier: GroupContexts] = [:]
  /// Spares the usual case, one group, the search.
  private var lastUsed: GroupContexts?
  private var scratch: LockedBuffer?

  init(_ connection: any DatabaseConnection, cache: PageCache) throws(VaultError) {
    self.connection = connection
    self.cache = cache
    do { cipher = try GCM() } catch { throw VaultError(translating: error) }
  }

  /// Drops contexts that belong to an earlier unlocking.
  func use(generation: UInt64) {
    if self.generation != generation {
      forgetContexts()
      self.generation = generation
    }
  }

  /// Frees the contexts of the classes that a lock closes, and wipes the cipher's last key, which may be of one.
  func forgetLockedClasses() {
    cipher.forgetKey()
    for contexts in contexts.values { contexts.forgetLockedClasses() }
  }

  /// Frees every context and wipes the cipher's last key.
  func forgetAll() {
    cipher.forgetKey()
    forgetContexts()
  }

  private func forgetContexts() {
    contexts = [:]
    lastUsed = nil
  }

  /// The keyed contexts of a group.
  func contexts(of group: OpenGroup) throws(CryptoError) -> GroupContexts {
    if let known = lastUsed, known.groupID == group.scope.groupID { return known }
    if let known = contexts[group.scope.groupID] {
      lastUsed = known
      return known
    }
    let made = try GroupContexts(group)
    contexts[group.scope.groupID] = made
    lastUsed = made
    return made
  }

  /// Computes the lookup of an identity in a group.
  func lookup(_ input: LookupInput, in group: OpenGroup) throws(CryptoError) -> Digest {
    let bytes = input.bytes
    return Digest(try contexts(of: group).index.expand(.lookup, over: bytes.span))
  }

  /// Opens one part of a row and takes off the padding.
  ///
  /// The row is the 107 bytes of the claim: the first 75 are the context, and rev is the salt.
  ///
  /// - Throws: ``VaultError``: `tampered`, or `locked` where the leaf is gone.
  func open(
    _ box: Span<UInt8>,
    _ part: BoxPart,
    row: Span<UInt8>,
    in group: OpenGroup
  ) throws(VaultError) -> SecretBytes {
    do {
      guard let count = SealedBox.plaintextByteCount(boxCount: box.count)
      else { throw VaultError(.tampered) }
      var buffer = try LockedBuffer(count: count)
      let range = try buffer.withMutableBytes { output throws(any Error) in
        try open(box, part, row: row, in: group, into: &output)
      }
      return SecretBytes(buffer, range: range)
    } catch {
      throw VaultError(translating: error)
    }
  }

  /// Opens the attributes of a row and lends them; the buffer is reused by the next call.
  func withOpenAttributes<Result>(
    _ box: Span<UInt8>,
    row: Span<UInt8>,
    in group: OpenGroup,
    _ body: (Span<UInt8>) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    do {
      return try withScratch { output throws(any Error) in
        let range = try open(box, .attributes, row: row, in: group, into: &output)
        defer { ConstantTime.wipe(&output, prefix: range.upperBound) }
        return try body(output.span.extracting(range))
      }
    } catch {
      throw VaultError(translating: error)
    }
  }

  private func withScratch<Result>(
    _ body: (inout MutableSpan<UInt8>) throws -> Result
  ) throws -> Result {
    var buffer = try scratch.take() ?? LockedBuffer(count: Limits.attributesBoxByteCount)
    let result = Swift.Result { try buffer.withMutableBytes(body) }
    scratch = consume buffer
    return try result.get()
  }

  private func open(
    _ box: Span<UInt8>,
    _ part: BoxPart,
    row: Span<UInt8>,
    in group: OpenGroup,
    into output: inout MutableSpan<UInt8>
  ) throws -> Range<Int> {
    let leaf = try leaf(part, row: row, in: group)
    let context = context(part, row: row, in: group)
    let count = try SealedBox.open(
      box,
      with: leaf,
      salt: row.extracting(Claim.revRange),
      context: context.span,
      using: cipher,
      into: &output
    )
    return try Padding.unpad(output.span.extracting(0..<count))
  }

  /// Pads and seals one part of a row.
  func seal(
    _ plaintext: Span<UInt8>,
    _ part: BoxPart,
    row: Span<UInt8>,
    in group: OpenGroup
  ) throws(VaultError) -> [UInt8] {
    do {
      let leaf = try leaf(part, row: row, in: group)
      var buffer = try LockedBuffer(count: Padding.paddedCount(for: plaintext.count))
      try buffer.withMutableBytes { output throws(FormatError) in
        try Padding.pad(plaintext, into: &output)
      }
      let context = context(part, row: row, in: group)
      return try buffer.withBytes { padded throws(CryptoError) in
        try SealedBox.seal(
          padded,
          with: leaf,
          salt: row.extracting(Claim.revRange),
          context: context.span,
          using: cipher
        )
      }
    } catch {
      throw VaultError(translating: error)
    }
  }

  private func leaf(
    _ part: BoxPart,
    row: Span<UInt8>,
    in group: OpenGroup
  ) throws -> HMAC {
    guard row.count == Claim.byteCount,
      let accessibility = ClassByte(rawValue: row[Claim.accessibilityOffset])
    else { throw VaultError(.tampered) }
    let contexts = try contexts(of: group)
    guard
      let leaf = try contexts.leaf(
        accessibility,
        isAttributes: part == .attributes,
        keys: group.keys
      )
    else { throw VaultError(.locked) }
    return leaf
  }

  private func context(_ part: BoxPart, row: Span<UInt8>, in group: OpenGroup) -> [UInt8] {
    var context: [UInt8] = []
    let prefix = group.contextPrefix(part)
    context.reserveCapacity(prefix.count + Claim.boundRange.count)
    context.append(prefix.span)
    context.append(row.extracting(Claim.boundRange))
    return context
  }
}

/// Keyed contexts of one group, which are as good as its keys.
final class GroupContexts {
  let groupID: Identifier
  let index: Expander
  let manifest: Expander
  private var attributeLeaves: [HMAC?]
  private var secretLeaves: [HMAC?]

  init(_ group: OpenGroup) throws(CryptoError) {
    groupID = group.scope.groupID
    index = try group.keys.index.expander()
    manifest = try group.keys.manifest.expander()
    attributeLeaves = Array(repeating: nil, count: ClassByte.allCases.count)
    secretLeaves = attributeLeaves
  }

  func leaf(
    _ accessibility: ClassByte,
    isAttributes: Bool,
    keys: borrowing GroupKeys
  ) throws(CryptoError) -> HMAC? {
    let index = accessibility.index
    if let known = isAttributes ? attributeLeaves[index] : secretLeaves[index] { return known }
    let made = try keys.leafContext(accessibility, isAttributes: isAttributes)
    if isAttributes { attributeLeaves[index] = made } else { secretLeaves[index] = made }
    return made
  }

  func forgetLockedClasses() {
    for accessibility in ClassByte.allCases where accessibility.isLockedWhenLocked {
      attributeLeaves[accessibility.index] = nil
      secretLeaves[accessibility.index] = nil
    }
  }
}

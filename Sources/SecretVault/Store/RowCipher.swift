import SecretMemory
import VaultCrypto
import VaultDatabase
import VaultFormat

/// Seals and opens the boxes of rows under the keyed contexts of their groups, used by one thread at a time.
final class RowCipher {
  let gcm: GCM
  private var contexts: [Identifier: GroupContexts] = [:]
  /// Spares the usual case, one group, the search.
  private var lastUsed: GroupContexts?
  private var scratch: LockedBuffer?

  init() throws(CryptoError) {
    gcm = try GCM()
  }

  /// Frees the contexts of the classes that a lock closes, and wipes the cipher's last key, which may be of one.
  func forgetLockedClasses() {
    gcm.forgetKey()
    for contexts in contexts.values { contexts.forgetLockedClasses() }
  }

  /// Frees every context and wipes the cipher's last key.
  func forgetAll() {
    gcm.forgetKey()
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
        // Also where the padding is wrong; what is opened is shorter than its box.
        defer { ConstantTime.wipe(&output, prefix: box.count) }
        let range = try open(box, .attributes, row: row, in: group, into: &output)
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
    let contexts = try contexts(of: group)
    let leaf = try leaf(part, row: row, contexts, group.keys)
    let context = context(part, row: row, contexts)
    let count = try SealedBox.open(
      box,
      with: leaf,
      salt: row.extracting(Claim.revRange),
      context: context.span,
      using: gcm,
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
      let contexts = try contexts(of: group)
      let leaf = try leaf(part, row: row, contexts, group.keys)
      var buffer = try LockedBuffer(count: Padding.paddedCount(for: plaintext.count))
      try buffer.withMutableBytes { output throws(FormatError) in
        try Padding.pad(plaintext, into: &output)
      }
      let context = context(part, row: row, contexts)
      return try buffer.withBytes { padded throws(CryptoError) in
        try SealedBox.seal(
          padded,
          with: leaf,
          salt: row.extracting(Claim.revRange),
          context: context.span,
          using: gcm
        )
      }
    } catch {
      throw VaultError(translating: error)
    }
  }

  /// Checks that opened attributes are well formed and belong to the lookup of their claim.
  func verifyAttributes(
    _ list: Span<UInt8>,
    row: Span<UInt8>,
    in group: OpenGroup
  ) throws(VaultError) {
    do {
      let kind = row[Claim.kindOffset]
      try AttributeCoding.validate(list, kind: kind)
      let isSynchronizable =
        ClaimFlags(rawValue: row[Claim.flagsOffset]).contains(.synchronizable)
      var input: [UInt8] = []
      input.reserveCapacity(list.count)
      defer { ConstantTime.wipe(&input) }
      try LookupInput.append(
        attributes: list,
        kind: kind,
        isSynchronizable: isSynchronizable,
        to: &input
      )
      let lookup = try contexts(of: group).index.expand(.lookup, over: input.span)
      guard ConstantTime.equal(lookup.span, row.extracting(Claim.lookupRange))
      else { throw VaultError(.tampered) }
    } catch {
      throw VaultError(translating: error)
    }
  }

  private func leaf(
    _ part: BoxPart,
    row: Span<UInt8>,
    _ contexts: GroupContexts,
    _ keys: borrowing GroupKeys
  ) throws -> HMAC {
    guard row.count == Claim.byteCount,
      let accessibility = ClassByte(rawValue: row[Claim.accessibilityOffset])
    else { throw VaultError(.tampered) }
    let leaf = try contexts.leaf(accessibility, isAttributes: part == .attributes, keys: keys)
    guard let leaf else { throw VaultError(.locked) }
    return leaf
  }

  private func context(
    _ part: BoxPart,
    row: Span<UInt8>,
    _ contexts: GroupContexts
  ) -> [UInt8] {
    var context: [UInt8] = []
    let prefix = contexts.prefix(part)
    context.reserveCapacity(prefix.count + Claim.boundRange.count)
    context.append(prefix.span)
    context.append(row.extracting(Claim.boundRange))
    return context
  }
}

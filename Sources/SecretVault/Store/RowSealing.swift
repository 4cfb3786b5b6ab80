import SecretMemory
import VaultCrypto
import VaultDatabase
import VaultFormat

/// A row with its boxes, complete but for the number of a new box.
struct SealedRow: Sendable {
  let claim: Claim
  let attributes: [UInt8]
  let secret: [UInt8]
  /// Empty where there is no history.
  let history: [UInt8]
  let group: OpenGroup
}

extension RowCipher {
  /// Names the version of a row and seals what its boxes will hold.
  func seal(_ row: PreparedRow) throws(VaultError) -> SealedRow {
    var claim = row.claim
    claim.rev = try rev(of: row)
    let bytes = claim.bytes
    return SealedRow(
      claim: claim,
      attributes: try row.attributes.withBytes { list throws(VaultError) in
        try seal(list, .attributes, row: bytes.span, in: row.group)
      },
      secret: try seal(row.secret, .secret, row: bytes, in: row.group),
      history: try row.history.map { history throws(VaultError) in
        try seal(history, .history, row: bytes, in: row.group)
      } ?? [],
      group: row.group
    )
  }

  /// Seals a secret; an item without one has the box of the empty secret.
  private func seal(
    _ secret: SecretBytes?,
    _ part: BoxPart,
    row: [UInt8],
    in group: OpenGroup
  ) throws(VaultError) -> [UInt8] {
    guard let secret else { return try seal(Span(), part, row: row.span, in: group) }
    return try secret.withBytes { bytes throws(VaultError) in
      try seal(bytes, part, row: row.span, in: group)
    }
  }

  /// The fresh value that names this version of the row and salts its boxes.
  ///
  /// What is sealed goes into it beside 32 random bytes: even if the generator repeats, an equal value
  /// means an equal message, so no key meets two messages under one nonce.
  private func rev(of row: PreparedRow) throws(VaultError) -> Salt {
    let claim = row.claim.bytes
    do {
      let long = try contexts(of: row.group).manifest.expand(.rev) { hmac throws(CryptoError) in
        try hmac.update(row.random.span)
        try hmac.update(claim.span.extracting(Claim.boundRange))
        try row.attributes.withBytes { list throws(CryptoError) in
          try hmac.update(UInt32(clamping: list.count))
          try hmac.update(list)
        }
        for secret in [row.secret, row.history] {
          try hmac.update(UInt32(clamping: secret?.count ?? 0))
          try secret?.withBytes { bytes throws(CryptoError) in try hmac.update(bytes) }
        }
      }
      return Salt(InlineArray { long[$0] })
    } catch {
      throw VaultError(translating: error)
    }
  }
}

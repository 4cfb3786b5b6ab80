import TestSupport
import VaultCrypto

/// A slot of the vectors: what is in it, and the record that must come out.
struct SlotVector: Sendable {
  let factors: UInt8
  let log2N: UInt8
  let number: UInt8
  let scope: [UInt8]
  let payload: [UInt8]
  let record: [UInt8]

  /// The vectors' salts are 24 times the letter Q, R or S.
  var salt: [UInt8] { [UInt8](repeating: 0x50 + number, count: 24) }

  var header: [UInt8] {
    FormatInputs.slotHeader(
      factors: factors,
      log2N: log2N,
      number: number,
      scope: scope,
      salt: salt
    )
  }

  var context: [UInt8] { Label.slot.tag + FormatInputs.vaultID + header }

  func key(_ factors: UInt8) throws(CryptoError) -> Key<Role.Slot> {
    try .joining(
      passphrase: factors & 1 == 0
        ? nil
        : Stretch.passphrase(FormatInputs.passphrase.span, salt: salt.span, log2N: log2N),
      file: factors & 2 == 0 ? nil : FormatInputs.file(),
      device: factors & 4 == 0 ? nil : FormatInputs.device(),
      salt: salt.span
    )
  }

  static let passphrase = SlotVector(
    factors: 1,
    log2N: 15,
    number: 1,
    scope: FormatInputs.rootScope,
    payload: FormatInputs.rootKey,
    record: [UInt8](
      hex: """
        0101010f000000000101010101010101010101010101010100000000000000000000000000000000
        515151515151515151515151515151515151515151515151ec9ef677fec8292c551692f163eb2a9c
        70ab6581942ad944cb3b31c89d1c6fe947656d76ef55b77a5f75206816cc8908a1184e5162a1e29f
        ab6d66af16e94d6852d217a9454fc326108bfb97741df23b
        """
    )
  )

  static let keyFile = SlotVector(
    factors: 2,
    log2N: 0,
    number: 2,
    scope: FormatInputs.groupID,
    payload: FormatInputs.groupKey,
    record: [UInt8](
      hex: """
        01020000000000000202020202020202020202020202020261616161616161616161616161616161
        525252525252525252525252525252525252525252525252760bfd61c71fe740539e9a2b3b2f9572
        58164ed0a5fe85c895ccbb5ad75c21f6088603a338ddfa702b3aa00244f428aa066be6afc6d92d0d
        935cf301fa1f951a938b4b74eaa57c4b69e5c1676790a09e
        """
    )
  )

  static let threeFactors = SlotVector(
    factors: 7,
    log2N: 15,
    number: 3,
    scope: FormatInputs.rootScope,
    payload: FormatInputs.rootKey,
    record: [UInt8](
      hex: """
        0107010f000000000303030303030303030303030303030300000000000000000000000000000000
        5353535353535353535353535353535353535353535353532caad8b7c457c70c529a31a4bd1f8779
        12bd14ca8309a67e68d26ced7502edf4c5f58ddcf68c0db16dd141c8f839458ccd6e7338c239a1e5
        b8ed033c9c77ca991c5d8075dedcd4608b58e970a5dea46b
        """
    )
  )

  static let groupRecord = [UInt8](
    hex: """
      61616161616161616161616161616161000000000000000167676767676767676767676767676767
      67676767676767675ca7d2eb4a57b28fc22676146c469ae998f9203aa88d271523bc8a343f763308
      95a765d4208d8d27874289f8bc8449ae2ee40f6b2b48b34a8cda03efa51c80d6e100de3a96236b9c
      92f098f7f6d96dd5
      """
  )
}

import Foundation

/// The published test vectors, which are too large to keep beside the tests.
///
/// They are read from the folder that the environment variable `SECRETVAULT_VECTORS` names, or from
/// `../shared/vectors` beside the package. Tests that need a file are enabled only where it is there.
package enum PublicVectors {
  /// Wycheproof's vectors for AES-GCM.
  package static let aesGCM = "aes_gcm_test.json"
  /// Wycheproof's vectors for chunked encryption with AES-256-GCM.
  package static let chunkedEncryption = "c2sp_chunked_encryption_aes_256_gcm_test.json"

  /// Why a test that needs a file may be switched off.
  package static let absence: String =
    "needs a published vector file in ../shared/vectors or $SECRETVAULT_VECTORS"

  private static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["SECRETVAULT_VECTORS"] {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    var package = URL(fileURLWithPath: #filePath)
    for _ in ["PublicVectors.swift", "TestSupport", "Tests"] { package.deleteLastPathComponent() }
    return package.appendingPathComponent("../shared/vectors", isDirectory: true)
  }()

  /// Whether a vector file can be read.
  package static func has(_ name: String) -> Bool {
    FileManager.default.isReadableFile(atPath: folder.appendingPathComponent(name).path)
  }

  /// Reads a vector file.
  ///
  /// - Throws: what reading or decoding throws.
  package static func read<Contents: Decodable>(
    _ name: String,
    as type: Contents.Type = Contents.self
  ) throws -> Contents {
    let data = try Data(contentsOf: folder.appendingPathComponent(name))
    return try JSONDecoder().decode(type, from: data)
  }
}

import Security
import Testing

@Suite("Random bytes")
struct RandomTests {
  @Test("the asked number of bytes is filled, and no more")
  func count() {
    var bytes = [UInt8](repeating: 0, count: 64)
    #expect(unsafe SecRandomCopyBytes(kSecRandomDefault, 32, &bytes) == errSecSuccess)
    #expect(bytes[..<32].contains { $0 != 0 })
    #expect(bytes[32...].allSatisfy { $0 == 0 })
  }

  @Test("two calls give different bytes")
  func difference() {
    var data = Data(count: 32)
    var other = Data(count: 32)
    let status = unsafe data.withUnsafeMutableBytes { buffer in
      unsafe SecRandomCopyBytes(kSecRandomDefault, buffer.count, buffer.baseAddress!)
    }
    let otherStatus = unsafe other.withUnsafeMutableBytes { buffer in
      unsafe SecRandomCopyBytes(nil, buffer.count, buffer.baseAddress!)
    }
    #expect(status == 0 && otherStatus == 0)
    #expect(data != other)
  }

  @Test("no bytes is fine, and fewer is a wrong parameter")
  func bounds() {
    var byte: UInt8 = 7
    #expect(unsafe SecRandomCopyBytes(nil, 0, &byte) == errSecSuccess)
    #expect(unsafe SecRandomCopyBytes(nil, -1, &byte) == errSecParam)
    #expect(byte == 7)
  }
}

import Glibc

/// A group of users of the system, whose members may share a vault.
public struct UnixGroup: Hashable, Sendable {
  /// The group's number.
  public let number: UInt32

  /// Names a group by its number.
  public init(number: UInt32) {
    self.number = number
  }

  /// Names a group by its name in `/etc/group`, else by its number in decimal digits.
  ///
  /// The groups of a directory service are not in that file (group(5)); they have a number as well.
  ///
  /// - Throws: ``VaultError`` with the code `invalidArgument` where there is no such group.
  public init(_ nameOrNumber: String) throws(VaultError) {
    // Where the file cannot be read, numbers are all there is.
    let number = (try? Self.number(ofName: nameOrNumber)) ?? UInt32(nameOrNumber)
    // The largest one stands for "unchanged" in chown(2), and for no group.
    guard let number, number < UInt32.max else {
      throw VaultError(
        .invalidArgument,
        "there is no such Unix group in /etc/group; give the number of the group"
      )
    }
    self.init(number: number)
  }

  private static func number(ofName name: String) throws(VaultError) -> UInt32? {
    guard let file = try FileDescriptor.file("/etc/group", in: nil, flags: O_RDONLY)
    else { return nil }
    var contents = [UInt8](repeating: 0, count: try FileStatus.of(file).byteCount)
    var bytes = contents.mutableSpan
    let count = try file.read(into: &bytes)
    for line in contents[..<count].split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      if fields.count > 2, fields[0].elementsEqual(name.utf8) {
        return UInt32(String(decoding: fields[2], as: UTF8.self))
      }
    }
    return nil
  }
}

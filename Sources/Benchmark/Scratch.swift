import Glibc

/// A folder of this run alone, inside the one that was given.
struct Scratch {
  let path: String

  /// Makes the folder, with mode 0700.
  init(in folder: String) throws(BenchmarkError) {
    var template = Array((folder + "/benchmark-XXXXXX").utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw .system("mkdtemp", number: errno)
    }
    path = String(
      decoding: template.dropLast().map { UInt8(bitPattern: $0) },
      as: UTF8.self
    )
  }

  /// Makes a folder inside.
  func folder(_ name: String) throws(BenchmarkError) -> String {
    let folder = path + "/" + name
    guard unsafe mkdir(folder, 0o700) == 0 else { throw .system("mkdir", number: errno) }
    return folder
  }

  /// Removes the folder with everything in it.
  func remove() { Self.remove(path) }

  /// Removes a folder of this run with everything in it.
  static func remove(_ folder: String) {
    guard let stream = unsafe opendir(folder) else { return }
    while let entry = unsafe readdir(stream) {
      let name = unsafe name(of: entry)
      if name == "." || name == ".." { continue }
      let path = folder + "/" + name
      if unsafe unlink(path) != 0 { remove(path) }
    }
    unsafe closedir(stream)
    unsafe rmdir(folder)
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
    unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
      unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
    }
  }

  /// The size of a file in bytes.
  static func size(of file: String) throws(BenchmarkError) -> Int {
    var status = stat()
    guard unsafe stat(file, &status) == 0 else { throw .system("stat", number: errno) }
    return Int(status.st_size)
  }
}

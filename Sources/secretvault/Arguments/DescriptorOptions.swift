/// The options that name an open descriptor.
enum DescriptorOptions {
  static let all: [Option] = [
    .passphraseDescriptor, .recoveryCodeDescriptor, .newPassphraseDescriptor, .descriptor,
  ]

  /// The descriptor that an option names.
  ///
  /// It is looked at before anything is opened: a number that is free now would soon be a file of ours.
  ///
  /// - Throws: A usage failure where it is not open for reading, or another option reads it too.
  static func descriptor(
    _ option: Option,
    in arguments: ParsedArguments
  ) throws(Failure) -> Descriptor? {
    guard let number = try number(of: option, in: arguments) else { return nil }
    for other in all where other.name != option.name {
      if try self.number(of: other, in: arguments) == number {
        throw .usage("\(option.name) and \(other.name) name one descriptor; give each its own")
      }
    }
    let descriptor = Descriptor(number: number)
    guard descriptor.isReadable else {
      throw .usage("\(option.name) names a descriptor that is not open for reading; open it first")
    }
    return descriptor
  }

  /// Checks that standard input can be read, and that no option reads something else from it.
  ///
  /// - Throws: A usage failure that says what it is for, and by which options that can be given instead.
  static func requireStandardInput(
    for subject: String,
    instead options: String,
    in arguments: ParsedArguments
  ) throws(Failure) {
    guard Descriptor.standardInput.isReadable else {
      throw .usage("standard input is closed; give \(subject) there, or by \(options)")
    }
    for option in all where try descriptor(option, in: arguments) == .standardInput {
      throw .usage("standard input cannot give both \(option.name) and \(subject); use another one")
    }
  }

  private static func number(
    of option: Option,
    in arguments: ParsedArguments
  ) throws(Failure) -> Int32? {
    try arguments.number(of: option, in: 0...UInt64(Int32.max)).map { Int32($0) }
  }
}

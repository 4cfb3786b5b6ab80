import Glibc
import SecretVault

/// Moments as they are given: `2027-01-31`, `2027-01-31T10:00:00Z`, also with milliseconds as the output
/// has them.
enum MomentText {
  /// Reads a moment in UTC; a date alone is its start.
  ///
  /// - Returns: `nil` for another form, a day or time that does not exist, and years before 1970.
  static func moment(_ text: String) -> Timestamp? {
    if !text.hasSuffix("Z") { return wholeMoment(text + "T00:00:00.000Z") }
    return wholeMoment(text) ?? wholeMoment(text.dropLast() + ".000Z")
  }

  /// Reads a moment, or a length of time with its unit as that long from now.
  ///
  /// - Returns: `nil` for anything else.
  static func momentOrDistance(_ text: String, for option: Option) -> Timestamp? {
    if let moment = moment(text) { return moment }
    guard text.last?.isLetter ?? false,
      let seconds = try? DurationText.seconds(text, for: option)
    else { return nil }
    let now = Timestamp.now.millisecondsSince1970
    return Timestamp(millisecondsSince1970: now + seconds * 1000)
  }

  /// Reads the form of the output, `2027-01-31T10:00:00.000Z`.
  private static func wholeMoment(_ text: String) -> Timestamp? {
    let parts = text.split(omittingEmptySubsequences: false) { "-T:.Z".contains($0) }
    let numbers = parts.prefix(7).compactMap { Int32($0) }
    guard numbers.count == 7 else { return nil }
    var date = unsafe tm()
    unsafe date.tm_year = numbers[0] &- 1900
    unsafe date.tm_mon = numbers[1] &- 1
    unsafe date.tm_mday = numbers[2]
    unsafe date.tm_hour = numbers[3]
    unsafe date.tm_min = numbers[4]
    unsafe date.tm_sec = numbers[5]
    guard let seconds = unsafe UInt64(exactly: timegm(&date)),
      let milliseconds = UInt64(exactly: numbers[6]), seconds < UInt64(UInt32.max) << 8
    else { return nil }
    let moment = Timestamp(millisecondsSince1970: seconds * 1000 + milliseconds)
    // What timegm(3) had to put right, such as the 31st of a short month, comes out differently.
    return TimestampText.utc(moment) == text ? moment : nil
  }
}

extension ItemChanges.Expiry {
  /// The end that `--expires` names; `nil` where it was not given.
  ///
  /// - Throws: A usage failure where it is neither `never`, a length of time with its unit, nor a moment.
  init?(_ arguments: ParsedArguments) throws(Failure) {
    guard let text = arguments.value(of: .expires) else { return nil }
    if text == "never" {
      self = .never
    } else if let moment = MomentText.momentOrDistance(text, for: .expires) {
      self = .at(moment)
    } else {
      throw .usage(
        "--expires is no moment; give one such as 30d, 12h, 2027-01-31, 2027-01-31T10:00:00Z or never"
      )
    }
  }
}

import Glibc
import SecretVault

/// Moments as text.
enum TimestampText {
  /// The moment in UTC to the millisecond (ISO 8601), or `nil` beyond the year 9999.
  static func utc(_ moment: Timestamp) -> String? {
    guard var seconds = time_t(exactly: moment.millisecondsSince1970 / 1000) else { return nil }
    var date = unsafe tm()
    guard unsafe gmtime_r(&seconds, &date) != nil, unsafe date.tm_year < 8100 else { return nil }
    let day = unsafe [date.tm_year + 1900, date.tm_mon + 1, date.tm_mday]
    let time = unsafe [date.tm_hour, date.tm_min, date.tm_sec]
    let milliseconds = padded(Int32(moment.millisecondsSince1970 % 1000), to: 3)
    return day.map { padded($0, to: 2) }.joined(separator: "-") + "T"
      + time.map { padded($0, to: 2) }.joined(separator: ":") + "." + milliseconds + "Z"
  }

  private static func padded(_ number: Int32, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

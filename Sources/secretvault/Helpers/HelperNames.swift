/// The names under which other programs start the tool as their helper.
enum HelperNames {
  private static let words = [
    "git-credential-secretvault": ["helper", "git"],
    "docker-credential-secretvault": ["helper", "docker"],
  ]

  /// The first words of the command line that the path stands for under which the tool was called; none for
  /// its own name.
  static func impliedWords(byCallOf path: String) -> [String] {
    path.split(separator: "/").last.flatMap { words[String($0)] } ?? []
  }
}

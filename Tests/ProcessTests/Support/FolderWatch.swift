import Foundation
import Synchronization

/// Looks through every file of some folders, again and again, on a thread of its own.
///
/// This process must not have a vault open in them: closing a file of SQLite's drops its locks.
final class FolderWatch: Sendable {
  private struct Findings {
    var roundCount = 0
    var paths: Set<String> = []
    var isEnding = false
    var hasEnded = false
  }

  private let findings = Mutex(Findings())

  init(_ folders: [String], for forms: SecretForms) {
    Thread.detachNewThread { [self] in
      repeat {
        let found = Self.files(in: folders).filter { path in
          FileManager.default.contents(atPath: path).map(forms.isFound) ?? false
        }
        findings.withLock { findings in
          findings.roundCount += 1
          findings.paths.formUnion(found)
        }
      } while !findings.withLock({ $0.isEnding })
      findings.withLock { $0.hasEnded = true }
    }
  }

  /// Stops looking, and says how often it looked and in which files it found something.
  func end() -> (roundCount: Int, paths: Set<String>) {
    findings.withLock { $0.isEnding = true }
    while !findings.withLock({ $0.hasEnded }) { usleep(100) }
    return findings.withLock { ($0.roundCount, $0.paths) }
  }

  /// The paths of all files, those in subfolders included.
  static func files(in folders: [String]) -> [String] {
    folders.flatMap { folder in
      (FileManager.default.subpaths(atPath: folder) ?? []).map { folder + "/" + $0 }
    }
  }
}

import Foundation
import Glibc
import TestSupport
import Testing

@Suite("closed standard descriptors")
struct DescriptorTests {
  @Test(
    "their numbers are never given to a file of ours",
    .enabled(if: geteuid() == 0, "only root sees the descriptors of a process that is not dumpable")
  )
  func reserved() throws {
    let tool = try Tool.withVault()
    let pipe = tool.home.path("pipe")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    let process = try tool.start(["set", "a", "--file", pipe], input: .closed) { request in
      request.output = .closed
      request.errors = .closed
    }
    // Opening waits until the tool, with its vault open, opens the other end.
    let writer = unsafe open(pipe, O_WRONLY | O_CLOEXEC)
    for number in 0...2 {
      let link = "/proc/\(process.identifier)/fd/\(number)"
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/dev/null")
    }
    #expect(unsafe write(writer, "x", 1) == 1)
    close(writer)
    #expect(try process.finish().exitCode == 0)
    #expect(try tool.secretText("a") == "x")
  }

  @Test("a note that cannot be written stops no work")
  func unwritableNotes() throws {
    let tool = try Tool()
    let made = try tool.run("init", "--generate-key-file", tool.home.path("key")) {
      $0.errors = .closed
    }
    #expect(made.exitCode == 0)
    #expect(try tool.run("list", "--key-file", tool.home.path("key")).exitCode == 0)
  }
}

import Foundation
import Glibc
import TestSupport
import Testing

/// The place of a journal, and of its copies, in a directory of its own.
struct JournalPlace {
  private let directory: TemporaryDirectory
  let file: String

  init() throws {
    directory = try TemporaryDirectory()
    file = directory.path(of: "demo.journal")
  }

  var path: String { directory.path }

  func path(of name: String) -> String { directory.path(of: name) }

  /// Starts a server that uses the journal.
  func serve(
    _ options: [String] = [], data: DataFile? = nil, shell: String? = nil
  ) throws -> ServeProcess {
    try ServeProcess(["--journal", file] + options, data: data, shell: shell)
  }
}

extension ServeProcess {
  /// Ends it at once, as a crash does.
  func crash() throws {
    signal(SIGKILL)
    #expect(try exit().reason == .uncaughtSignal)
  }
}

import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A user who may not use a file")
struct PermissionServeTests {
  @Test("learns which file or folder it is, and why")
  func refusals() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      func path(_ name: String) -> String { place.path(of: name) }
      try place.serve().crash()
      for name in ["locked", "unreadable"] { try copy(place.file, to: path(name)) }
      #expect(FileManager.default.createFile(atPath: path("locked-lock"), contents: nil))
      #expect(chmod(path("locked-lock"), 0) == 0 && chmod(path("unreadable"), 0) == 0)
      for (name, mode) in [("fixed", mode_t(0o500)), ("closed", 0)] {
        #expect(mkdir(path(name), 0o700) == 0)
        try Data("{}".utf8).write(to: URL(filePath: path("\(name)/data.json")))
        #expect(chmod(path(name), mode) == 0)
      }
      // So that everything can be removed.
      defer { for name in ["fixed", "closed"] { _ = chmod(path(name), 0o700) } }
      let unreadable = path("unreadable")
      let files = "its folder and the files beside it, \(unreadable)-wal and \(unreadable)-shm"
      let hint = "the user of the process must be able to write it, \(files)"
      for (arguments, code, reason) in [
        (
          ["serve", "--journal", path("locked")], 69,
          "the journal: \(path("locked-lock")): it cannot be opened: Permission denied"
        ),
        (
          ["serve", "--journal", unreadable], 69,
          "the journal: \(unreadable): unable to open database file; \(hint)"
        ),
        (
          ["serve", "--journal", path("fixed/new")], 69,
          "the journal: \(path("fixed/new")): it cannot be created: Permission denied"
        ),
        (
          ["check", "--journal", path("closed/old")], 69,
          "the journal: \(path("closed/old")): Permission denied"
        ),
        (
          ["backup", "--journal", place.file, "--to", path("fixed/copy")], 69,
          "the journal: \(path("fixed/copy")): it cannot be created: Permission denied"
        ),
        (
          ["serve", "--data", path("closed/data.json")], 66,
          "--data \(path("closed/data.json")): it cannot be read"
        ),
      ] as [([String], Int32, String)] {
        let port = arguments[0] == "serve" ? ["--port", "0"] : []
        let result = try ServeProcess.run(
          arguments + port, shell: ServeProcess.withoutPowerOverFiles)
        #expect(result.errors == "viewdelta: \(reason)\n" && result.code == code)
      }
    }
  }

  private func copy(_ journal: String, to copy: String) throws {
    #expect(try ServeProcess.run(["backup", "--journal", journal, "--to", copy]).code == 0)
  }
}

import Glibc
import Logging
import TestSupport
import Testing
import ViewState

@testable import ViewDelta

@Suite("A server that ends or starts again by itself")
struct ProgramStartTests {
  @Test("waits before each restart but the first, each time longer, up to a minute")
  func waits() {
    unsetenv("VIEWDELTA_RESTARTS")
    defer { unsetenv("VIEWDELTA_RESTARTS") }
    let waits = (1...12).map { _ in ProgramStart.countRestart() }
    #expect(waits == [0, 1, 3, 7, 15, 31] + Array(repeating: 60, count: 6))
  }

  @Test("says while it reads a long journal that it is still starting")
  func reading() {
    let recorder = LogRecorder()
    let logger = Logger(label: "test") { _ in recorder }
    JournalIncident.replaying(position: 451).handle(logging: logger)
    #expect(
      recorder.lines.all
        == ["notice the server is still starting: it reads the journal [\"position\": 451]"])
  }

  @Test("ends for a successor once it listens, and not before, when a signal would end it at once")
  func successor() async {
    await #expect(processExitsWith: .success) { ProgramStart.endForSuccessor() }
    await #expect(processExitsWith: .signal(SIGTERM)) {
      ProgramStart.endForSuccessor()
      ProgramStart.keep(1)
    }
    await #expect(processExitsWith: .signal(SIGTERM)) {
      ProgramStart.keep(1)
      ProgramStart.endForSuccessor()
    }
  }
}

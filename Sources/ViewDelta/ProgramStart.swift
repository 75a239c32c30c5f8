import CanonicalJSON
import Dispatch
import Foundation
import Glibc
import Snapshots
import Synchronization

/// Starts the program anew in its process: an engine cannot go back, because features hold its stores.
///
/// A server that differs from others may do so again after each start, because its program is not deterministic or its
/// machine is broken. So it waits before all such starts but the first, each time longer, and also if it cannot use its
/// journal when it starts again. The environment of the process keeps the number of starts, which a start does not
/// change.
enum ProgramStart {
  private struct State {
    /// The port that the server has, and when it got it.
    var listening: (port: UInt16, since: ContinuousClock.Instant)?
    /// Whether the process is about to end.
    var isEnding = false
    var exitCode = EXIT_SUCCESS
    /// Whether the process has sent the first signal itself.
    var hasOwnSignal = false
  }

  private static let state = Mutex(State())
  private static let variable = "VIEWDELTA_RESTARTS"

  /// The longest wait in seconds.
  private static let longestWait = 60
  /// The time after which a start is not counted.
  private static let memory = Duration.seconds(600)

  /// Decides what signals do while the server starts.
  static func begin() {
    // The server keeps running after its terminal is closed, also while it starts.
    signal(SIGHUP, SIG_IGN)
    // Redis may close a connection while something is written to it.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGTERM) { number in
      let line: StaticString = "SIGTERM ends the start\n"
      _ = write(STDERR_FILENO, line.utf8Start, line.utf8CodeUnitCount)
      _ = signal(number, SIG_DFL)
      ProgramStart.unblock(number)
      raise(number)
      // In the first process of a container it does nothing (pid_namespaces(7)).
      _exit(128 + number)
    }
    // The thread that started the program may have blocked it, as all but the first of a program in Swift do.
    unblock(SIGTERM)
  }

  private static func unblock(_ number: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Keeps the port that the server has, so that it has the same one after it was started anew.
  static func keep(_ port: UInt16) {
    let mustEnd = state.withLock { state in
      state.listening = (port, .now)
      return state.hasOwnSignal
    }
    if mustEnd { kill(getpid(), SIGTERM) }
  }

  /// Notes that the process is about to end.
  static func end() { state.withLock { $0.isEnding = true } }

  /// Ends the server as SIGTERM does, because another build takes its journal over, unless it is about to end. A server
  /// that starts ends once it listens: before, the signal would end the process at once.
  static func endForSuccessor() {
    let isNow = state.withLock { state in
      guard !state.isEnding else { return false }
      (state.exitCode, state.hasOwnSignal) = (EX_TEMPFAIL, true)
      return state.listening != nil
    }
    if isNow { kill(getpid(), SIGTERM) }
  }

  /// Returns once whether the server began to end by a signal of its own, so that the next one is the operator's first.
  static func takeOwnSignal() -> Bool {
    state.withLock { state in
      defer { state.hasOwnSignal = false }
      return state.hasOwnSignal
    }
  }

  /// The exit code of a server that has ended in good order. A supervisor starts one again that has made way for a newer
  /// build, which may be installed by then.
  static var exitCode: Int32 { state.withLock(\.exitCode) }

  /// Whether the process is about to end, so that the program must not start anew.
  static var isEnding: Bool { state.withLock(\.isEnding) }

  /// Counts one more start of a server by itself.
  ///
  /// - Returns: The time to wait before it, in seconds.
  @discardableResult
  static func countRestart() -> Int {
    let isRecent = state.withLock { $0.listening.map { .now - $0.since < memory } ?? true }
    let count = isRecent ? restarts : 0
    setenv(variable, "\(count + 1)", 1)
    return min((1 << count) - 1, longestWait)
  }

  /// Whether the server has listened before, and starts again by itself.
  static var isRestart: Bool { restarts > 0 }

  /// The number of starts by itself, up to 10.
  private static var restarts: Int {
    min(ProcessInfo.processInfo.environment[variable].flatMap { UInt8($0) }.map(Int.init) ?? 0, 10)
  }

  /// Starts the program anew after a time, unless the process is about to end then.
  static func again(after seconds: Int) {
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) {
      if !isEnding { again() }
    }
  }

  /// The file of the program that runs, also if it has been removed or replaced (proc_pid_exe(5)).
  static let file = "/proc/self/exe"

  /// The number of bytes at the beginning of a program that contain its build ID, a hash of the program by the linker.
  private static let headByteCount = 4096

  /// Identifies the build that runs: a program that was built again may show a state in another way.
  static var build: Text {
    let file = FileHandle(forReadingAtPath: Self.file)
    // Images that are built reproducibly have one time for all files, and another text takes no more space.
    let head = try? file?.read(upToCount: headByteCount)
    var hash = SHA256()
    hash.update(Array(head ?? Data()))
    let digest = Data(hash.finalize()).base64EncodedString()
    var status = stat()
    if let file { fstat(file.fileDescriptor, &status) }
    let time = status.st_mtim.tv_sec * 1_000 + status.st_mtim.tv_nsec / 1_000_000
    return "\(time) \(status.st_size) \(digest)"
  }

  /// Returns whether the build that runs is newer than another one, by the modification time of its program.
  static func isNewer(than other: Text) -> Bool {
    func time(_ build: Text) -> Int? { Int(build.string.prefix { $0 != " " }) }
    guard let own = time(build), let other = time(other) else { return false }
    return own > other
  }

  /// Starts the program anew with its arguments. Its descriptors close by themselves (`O_CLOEXEC`).
  static func again() -> Never {
    // The last of two options applies.
    let port = state.withLock { $0.listening }.map { ["--port", "\($0.port)"] } ?? []
    let arguments = (CommandLine.arguments + port).map { strdup($0) } + [nil]
    // Under its name, if the file still has one. What has its place may be another build, which the other servers
    // would keep out.
    if let name = try? FileManager.default.destinationOfSymbolicLink(atPath: file) {
      execv(name, arguments)
    }
    execv(file, arguments)
    let reason = String(cString: strerror(errno))
    StartError.unavailable("the program cannot restart: \(reason)").report()
    // A supervisor starts it.
    exit(EX_TEMPFAIL)
  }
}

import Dispatch
import Glibc

/// A TCP connection that sends and receives raw bytes, and never waits longer than its deadline.
///
/// It blocks its thread, which keeps a test of raw bytes readable. It must not be used from several
/// tasks at once.
public final class SocketClient {
  /// The socket, or -1 once it is closed.
  private var descriptor: Int32
  /// The bytes that were received but not read yet.
  private var buffer: [UInt8] = []
  /// The maximum time that each call waits.
  public var deadline: Duration

  /// Connects to a server on this machine.
  ///
  /// - Parameters:
  ///   - port: The port.
  ///   - deadline: The maximum time that this and each later call waits.
  ///   - receiveBuffer: The size of the system's receive buffer in bytes; nil leaves the default.
  public init(
    port: UInt16, deadline: Duration = patience, receiveBuffer: Int32? = nil
  ) throws(SocketFailure) {
    self.deadline = deadline
    descriptor = socket(
      AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .systemCall("socket", errno: errno) }
    if var size = receiveBuffer {
      setsockopt(
        descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout.size(ofValue: size)))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if result != 0 {
      guard errno == EINPROGRESS else { throw .systemCall("connect", errno: errno) }
      try wait(for: Int16(POLLOUT), until: .now + deadline)
      var failure: Int32 = 0
      var size = socklen_t(MemoryLayout.size(ofValue: failure))
      getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size)
      guard failure == 0 else { throw .systemCall("connect", errno: failure) }
    }
  }

  deinit { close() }

  /// Sends text.
  public func send(_ text: String) throws(SocketFailure) {
    try send(Array(text.utf8))
  }

  /// Sends bytes.
  public func send(_ bytes: [UInt8]) throws(SocketFailure) {
    let end = ContinuousClock.now + deadline
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        try wait(for: Int16(POLLOUT), until: end)
      } else if errno == ECONNRESET || errno == EPIPE {
        throw .reset
      } else {
        throw .systemCall("send", errno: errno)
      }
    }
  }

  /// Reads one line without its CRLF.
  public func readLine() throws(SocketFailure) -> String {
    let end = ContinuousClock.now + deadline
    while true {
      if let newline = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = buffer[..<newline]
        buffer.removeFirst(newline + 1)
        return String(decoding: line.last == 0x0d ? line.dropLast() : line, as: UTF8.self)
      }
      guard try receive(until: end) else { throw .closed(read: pending) }
    }
  }

  /// Reads exactly `count` bytes.
  public func read(_ count: Int) throws(SocketFailure) -> [UInt8] {
    let end = ContinuousClock.now + deadline
    while buffer.count < count {
      guard try receive(until: end) else { throw .closed(read: pending) }
    }
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }

  /// Reads until the server closes the connection; a reset counts as a close.
  ///
  /// - Throws: ``SocketFailure/deadline(read:)`` if it stays open.
  public func readToEnd() throws(SocketFailure) -> [UInt8] {
    let end = ContinuousClock.now + deadline
    do throws(SocketFailure) {
      while try receive(until: end) {}
    } catch .reset {
    } catch {
      throw error
    }
    defer { buffer = [] }
    return buffer
  }

  /// Closes the sending direction; replies can still be read.
  public func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Waits, without reading, until something has arrived.
  public func awaitArrival() throws(SocketFailure) {
    try wait(for: Int16(POLLIN), until: .now + deadline)
  }

  /// Waits, without reading, until the server has closed the connection.
  public func awaitHangUp() throws(SocketFailure) {
    // POLLHUP and POLLERR are always reported. POLLRDHUP, which Glibc's module lacks, reports that
    // the server has closed its sending direction.
    try wait(for: 0x2000, until: .now + deadline)
  }

  /// Resets the connection: the server sees an error instead of an end.
  public func reset() {
    var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    close()
  }

  /// Closes the connection.
  public func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  private var pending: String { String(decoding: buffer.prefix(1_000), as: UTF8.self) }

  /// Receives once. Returns `false` at the end.
  private func receive(until end: ContinuousClock.Instant) throws(SocketFailure) -> Bool {
    while true {
      var count = 0
      buffer += [UInt8](unsafeUninitializedCapacity: 64 * 1024) { bytes, initialized in
        count = recv(descriptor, bytes.baseAddress, bytes.count, 0)
        initialized = max(0, count)
      }
      if count >= 0 { return count > 0 }
      switch errno {
      case EAGAIN: try wait(for: Int16(POLLIN), until: end)
      case ECONNRESET: throw .reset
      default: throw .systemCall("recv", errno: errno)
      }
    }
  }

  private func wait(
    for events: Int16, until end: ContinuousClock.Instant
  ) throws(SocketFailure) {
    while true {
      let left = (end - .now) / .milliseconds(1)
      guard left > 0 else { throw .deadline(read: pending) }
      var waiting = pollfd(fd: descriptor, events: events, revents: 0)
      let result = poll(&waiting, 1, Int32(min(left.rounded(.up), 60_000)))
      if result > 0 { return }
      guard result == 0 || errno == EINTR else { throw .systemCall("poll", errno: errno) }
    }
  }
}

/// An error of a ``SocketClient``.
public enum SocketFailure: Error, Equatable {
  /// The deadline passed first; with the bytes read until then.
  case deadline(read: String)
  /// The server closed the connection first; with the bytes read until then.
  case closed(read: String)
  /// The server reset the connection.
  case reset
  /// A system call failed with this `errno`.
  case systemCall(String, errno: Int32)
  /// The received bytes are not a reply.
  case malformed(String)
}

/// Runs blocking code outside the concurrency pool, whose few threads the code under test needs.
public enum SocketThread {
  /// Runs a closure on a new thread and returns its result.
  public static func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Swift.Result { try body() })
      }
    }
  }
}

/// The open descriptors of this process.
public enum OpenDescriptors {
  /// Returns the number of open descriptors.
  public static func count() -> Int {
    guard let directory = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    return count
  }
}

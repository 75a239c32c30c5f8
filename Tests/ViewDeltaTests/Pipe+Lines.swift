import Foundation
import Glibc
import TestSupport

/// What a process writes, as it comes.
extension Pipe {
  /// Reads one line.
  func readLine() throws -> String {
    var line: [UInt8] = []
    while let byte = try readByte() {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    throw LawViolation("the output ended: \(String(decoding: line, as: UTF8.self))")
  }

  /// Reads one byte; `nil` at the end.
  func readByte() throws -> UInt8? {
    let descriptor = fileHandleForReading.fileDescriptor
    try awaitTrue("output") {
      var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return poll(&event, 1, 100) > 0
    }
    var byte: UInt8 = 0
    return read(descriptor, &byte, 1) == 1 ? byte : nil
  }
}

import Glibc

/// A socket that is bound to a free port of 127.0.0.1. As long as it does not listen, a program that is told the port
/// can listen there, end and come back, and the system gives the port to no other.
public struct BoundSocket {
  public let descriptor: Int32
  public let port: UInt16

  /// Binds a socket.
  public init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    // If the program sets this option too, both can be bound to the port.
    var isReused: Int32 = 1
    setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    try require(isBound, "no port is free")
    (self.descriptor, port) = (descriptor, UInt16(bigEndian: address.sin_port))
  }
}

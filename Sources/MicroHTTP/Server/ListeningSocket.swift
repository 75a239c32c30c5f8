import Glibc

/// A socket that listens. It is made here, not by libmicrohttpd, to know why it could not be.
struct ListeningSocket {
  let descriptor: Int32
  let address: BoundAddress

  /// Opens, binds and listens.
  init(host: String, port: UInt16) throws(ServerError) {
    guard var address = SocketAddress(host: host, port: port) else { throw .invalidAddress(host) }
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.family, type, 0)
    guard descriptor >= 0 else { throw .systemCall(name: "socket", errno: errno) }
    do throws(ServerError) {
      // Without it, a restart fails as long as connections of the last run are in TIME_WAIT.
      var on: Int32 = 1
      setsockopt(
        descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout.size(ofValue: on)))
      guard address.withPointer({ bind(descriptor, $0, $1) }) == 0 else {
        throw Self.error(errno, "bind", host: host, port: port)
      }
      guard listen(descriptor, 4_096) == 0 else {
        throw Self.error(errno, "listen", host: host, port: port)
      }
      guard let bound = SocketAddress(boundTo: descriptor) else {
        throw .systemCall(name: "getsockname", errno: errno)
      }
      self.address = BoundAddress(host: bound.host, port: bound.port)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  private static func error(
    _ number: Int32, _ name: String, host: String, port: UInt16
  ) -> ServerError {
    switch number {
    case EADDRINUSE: .addressInUse(host: host, port: port)
    case EADDRNOTAVAIL: .addressNotAvailable(host: host)
    case EACCES, EPERM: .permissionDenied(host: host, port: port)
    default: .systemCall(name: name, errno: number)
    }
  }
}

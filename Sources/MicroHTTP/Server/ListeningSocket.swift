import Glibc

/// A listening TCP socket. The server opens it itself, because libmicrohttpd does not report why
/// opening failed.
struct ListeningSocket {
  /// The socket's send buffer in bytes: the most that the kernel keeps for a client that does not
  /// read. Linux doubles the value for its own bookkeeping.
  private static let sendBuffer: Int32 = 128 * 1024

  let descriptor: Int32
  let address: BoundAddress

  /// Opens a socket, binds it to the configured address and listens.
  ///
  /// - Throws: ``ServerError`` if the address is invalid, in use or not permitted, or a system call
  ///   fails.
  init(_ configuration: ServerConfiguration) throws(ServerError) {
    descriptor = try Self.bind(configuration)
    do throws(ServerError) {
      guard listen(descriptor, 4_096) == 0 else {
        throw Self.error(errno, "listen", configuration)
      }
      guard let bound = SocketAddress(boundTo: descriptor) else {
        throw .systemCall(name: "getsockname", errno: errno)
      }
      address = BoundAddress(host: bound.host, port: bound.port)
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Opens a socket, and binds it to the configured address. It does not listen.
  static func bind(_ configuration: ServerConfiguration) throws(ServerError) -> Int32 {
    guard let address = SocketAddress(host: configuration.host, port: configuration.port) else {
      throw .invalidAddress(configuration.host)
    }
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.family, type, 0)
    guard descriptor >= 0 else { throw .systemCall(name: "socket", errno: errno) }
    // Without this option a restart fails while connections of the previous process are in
    // TIME_WAIT.
    set(SO_REUSEADDR, to: 1, of: descriptor)
    // Accepted connections inherit this size, which bounds the kernel memory of an unread reply.
    set(SO_SNDBUF, to: sendBuffer, of: descriptor)
    guard address.withPointer({ Glibc.bind(descriptor, $0, $1) }) == 0 else {
      let error = error(errno, "bind", configuration)
      close(descriptor)
      throw error
    }
    return descriptor
  }

  private static func set(_ option: Int32, to value: Int32, of socket: Int32) {
    var value = value
    setsockopt(socket, SOL_SOCKET, option, &value, socklen_t(MemoryLayout.size(ofValue: value)))
  }

  private static func error(
    _ number: Int32, _ name: String, _ configuration: ServerConfiguration
  ) -> ServerError {
    let (host, port) = (configuration.host, configuration.port)
    return switch number {
    case EADDRINUSE: .addressInUse(host: host, port: port)
    case EADDRNOTAVAIL: .addressNotAvailable(host: host)
    case EACCES, EPERM: .permissionDenied(host: host, port: port)
    default: .systemCall(name: name, errno: number)
    }
  }
}

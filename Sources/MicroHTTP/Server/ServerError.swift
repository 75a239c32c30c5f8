/// An error that prevents a ``Server`` from being created or started.
package enum ServerError: Error, Sendable, Equatable {
  /// The host is neither an IP literal nor `localhost`.
  case invalidAddress(String)
  /// A value of the configuration is out of its range.
  case invalidConfiguration(option: String, reason: String)
  /// Another process listens on this address and port.
  case addressInUse(host: String, port: UInt16)
  /// No interface of this machine has this address.
  case addressNotAvailable(host: String)
  /// The process lacks the permission to listen there, for example on a port below 1024.
  case permissionDenied(host: String, port: UInt16)
  /// A system call failed with this `errno`.
  case systemCall(name: String, errno: Int32)
  /// libmicrohttpd did not start, for this reason.
  case notStarted(reason: String)
  /// ``Server/start()`` was called a second time.
  case alreadyStarted
}

extension ServerError: CustomStringConvertible {
  /// One line that names the option at fault.
  package var description: String {
    switch self {
    case .invalidAddress(let host):
      "host: \"\(host)\" is neither an IP address nor localhost"
    case .invalidConfiguration(let option, let reason):
      "\(option): \(reason)"
    case .addressInUse(let host, let port):
      "port: \(port) on \(host) is already in use"
    case .addressNotAvailable(let host):
      "host: \(host) is not an address of this machine"
    case .permissionDenied(let host, let port):
      "port: no permission to listen on \(host) port \(port)"
    case .systemCall(let name, let errno):
      "\(name) failed with errno \(errno)"
    case .notStarted(let reason):
      "the server did not start: \(reason)"
    case .alreadyStarted:
      "the server was already started"
    }
  }
}

import Glibc

/// An IP address and a port in the form that socket calls take.
struct SocketAddress {
  private var storage = sockaddr_storage()
  private var size = socklen_t(MemoryLayout<sockaddr_storage>.size)

  /// Parses an IPv4 or IPv6 literal, or `localhost`; returns nil for any other text.
  init?(host: String, port: UInt16) {
    var four = sockaddr_in()
    var six = sockaddr_in6()
    if inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host, &four.sin_addr) == 1 {
      four.sin_family = sa_family_t(AF_INET)
      four.sin_port = port.bigEndian
      copy(four)
    } else if inet_pton(AF_INET6, host, &six.sin6_addr) == 1 {
      six.sin6_family = sa_family_t(AF_INET6)
      six.sin6_port = port.bigEndian
      copy(six)
    } else {
      return nil
    }
  }

  /// Reads the address that a socket is bound to; returns nil if the system call fails.
  init?(boundTo descriptor: Int32) {
    var size = self.size
    let result = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        getsockname(descriptor, address, &size)
      }
    }
    guard result == 0 else { return nil }
    self.size = size
  }

  /// `AF_INET` or `AF_INET6`.
  var family: Int32 { Int32(storage.ss_family) }

  /// Whether this is a loopback address: 127.0.0.0/8, also mapped to IPv6, or `::1`.
  var isLoopback: Bool {
    withUnsafeBytes(of: storage) { bytes in
      // The offsets of the address in sockaddr_in and sockaddr_in6.
      if family == AF_INET { return bytes[4] == 127 }
      let address = bytes[8..<24]
      if address.dropLast().allSatisfy({ $0 == 0 }) { return address.last == 1 }
      return address.prefix(10).allSatisfy { $0 == 0 }
        && address[18] == 0xff && address[19] == 0xff && address[20] == 127
    }
  }

  /// The port.
  var port: UInt16 {
    // Both address families have the port at this offset.
    withUnsafeBytes(of: storage) { bytes in
      UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self))
    }
  }

  /// The address as a literal.
  var host: String { withPointer(Self.host) }

  /// Returns an address as a literal; empty if it is not an IP address.
  static func host(of address: UnsafePointer<sockaddr>, size: socklen_t) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { host in
      let failure = getnameinfo(
        address, size, host.baseAddress, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
      guard failure == 0, let start = host.baseAddress else { return "" }
      return String(cString: start)
    }
  }

  /// Calls a closure with a pointer to the address and its size.
  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }

  /// Copies an address. `sockaddr_storage` is large enough and aligned for every kind of address.
  private mutating func copy<Address>(_ address: Address) {
    withUnsafeMutableBytes(of: &storage) { storage in
      withUnsafeBytes(of: address) { storage.copyMemory(from: $0) }
    }
    size = socklen_t(MemoryLayout<Address>.size)
  }
}

import Glibc
import Synchronization

/// Limits the number of connections per client address, over all serving threads.
final class AddressLimit: Sendable {
  /// An IP address, without the port.
  struct Address: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Reads the address of a socket; returns nil if it is not an IP address.
    init?(_ address: UnsafePointer<sockaddr>?) {
      switch address.map({ Int32($0.pointee.sa_family) }) {
      case AF_INET:
        bytes =
          address?.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
            withUnsafeBytes(of: address.pointee.sin_addr) { Array($0) }
          } ?? []
      case AF_INET6:
        bytes =
          address?.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
            withUnsafeBytes(of: address.pointee.sin6_addr) { Array($0) }
          } ?? []
      default: return nil
      }
    }
  }

  private let limit: Int
  private let counts = Mutex<[Address: Int]>([:])

  init(_ limit: Int) {
    self.limit = limit
  }

  /// Counts a new connection; returns false if its address has reached the limit.
  ///
  /// - Complexity: O(1) expected.
  func take(_ address: Address) -> Bool {
    counts.withLock { counts in
      let count = counts[address, default: 0]
      guard count < limit else { return false }
      counts[address] = count + 1
      return true
    }
  }

  /// Counts a closed connection.
  func release(_ address: Address) {
    counts.withLock { counts in
      let others = counts[address, default: 1] - 1
      counts[address] = others > 0 ? others : nil
    }
  }
}

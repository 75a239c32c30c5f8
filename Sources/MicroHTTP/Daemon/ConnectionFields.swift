import CMicroHTTPD
import Glibc
import HTTPTypes

/// Reads the fields of a request where libmicrohttpd keeps them.
///
/// `@unchecked Sendable`: libmicrohttpd parses a head completely before it calls anybody, and then
/// only reads it until the request is completed. ``RequestStorage`` replaces this value under its
/// lock before that, so no reader can be late.
struct ConnectionFields: @unchecked Sendable {
  let connection: OpaquePointer

  /// The values of a field, whose name is given in lower case.
  func values(for name: String) -> [String] {
    var lookup = FieldLookup(name: name)
    withUnsafeMutablePointer(to: &lookup) { lookup in
      _ = MHD_get_connection_values_n(
        connection, .HEADER_KIND,
        { context, _, name, nameSize, value, valueSize in
          guard let context, let name else { return .YES }
          let lookup = context.assumingMemoryBound(to: FieldLookup.self)
          let bytes = ConnectionFields.bytes(name, nameSize)
          if ASCII.equalsIgnoringCase(bytes, lowercase: lookup.pointee.name.utf8) {
            lookup.pointee.values.append(
              String(decoding: ConnectionFields.bytes(value, valueSize), as: UTF8.self))
          }
          return .YES
        }, lookup)
    }
    return lookup.values
  }

  /// A copy of all fields, without those whose name is no token.
  func snapshot() -> DetachedFields {
    var fields = HTTPFields()
    withUnsafeMutablePointer(to: &fields) { fields in
      _ = MHD_get_connection_values_n(
        connection, .HEADER_KIND,
        { context, _, name, nameSize, value, valueSize in
          guard let context, let name else { return .YES }
          let text = String(decoding: ConnectionFields.bytes(name, nameSize), as: UTF8.self)
          if let name = HTTPField.Name(text) {
            let value = String(
              decoding: ConnectionFields.bytes(value, valueSize), as: UTF8.self)
            context.assumingMemoryBound(to: HTTPFields.self).pointee.append(
              HTTPField(name: name, value: value))
          }
          return .YES
        }, fields)
    }
    return DetachedFields(fields, remoteAddress: remoteAddress)
  }

  /// The peer's IP address as a literal, or an empty string if there is none.
  var remoteAddress: String {
    guard let address = viewdelta_peer_address(connection) else { return "" }
    let size =
      address.pointee.sa_family == sa_family_t(AF_INET6)
      ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { host in
      let failure = getnameinfo(
        address, socklen_t(size), host.baseAddress, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
      guard failure == 0, let start = host.baseAddress else { return "" }
      return String(cString: start)
    }
  }

  /// C's characters as bytes; empty for NULL.
  static func bytes(_ start: UnsafePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    guard let start else { return UnsafeBufferPointer(start: nil, count: 0) }
    // CChar and UInt8 have the same layout, and the memory is only read.
    return UnsafeBufferPointer(
      start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: count)
  }
}

/// A name in lower case and the values found for it so far.
private struct FieldLookup {
  let name: String
  var values: [String] = []
}

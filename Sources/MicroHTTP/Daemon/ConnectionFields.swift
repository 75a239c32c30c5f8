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

  /// A name whose address tells a field that ``forgoLists(of:target:)`` added from those of the client.
  private static let ownName: StaticString = "Cookie"

  /// Keeps libmicrohttpd from making lists of a request's parameters and cookies. Called when its request
  /// line is there, and its target was copied.
  ///
  /// Nobody reads these lists, and each entry takes some fifty bytes of the connection's memory. A query of
  /// some hundred `&`, or as many cookies, uses it up; version 0.9 then never answers, or sends the head of
  /// its reply twice. It looks for parameters up to the end of the string behind the question mark, and in
  /// the first field named Cookie.
  static func forgoLists(of connection: OpaquePointer, target: UnsafePointer<CChar>?) {
    // The library itself writes to this memory after the call, to part the path from the query.
    if let target, let question = strchr(target, Int32(UInt8(ascii: "?"))) { question[1] = 0 }
    add(ownName, "", to: connection)
  }

  /// Has libmicrohttpd close the connection after the reply to this request, as if the client had asked for
  /// it. Called before the reply is queued.
  ///
  /// - Returns: false if there is no memory left for that.
  static func close(_ connection: OpaquePointer) -> Bool {
    add("Connection", "close", to: connection)
  }

  /// Whether a field with this name is none of the client's.
  @inline(__always)
  static func isOwn(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    name.baseAddress == ownName.utf8Start
  }

  /// Adds a field to those of a request. Called by libmicrohttpd's thread of this connection, as everything
  /// that touches the list.
  @discardableResult
  private static func add(
    _ name: StaticString, _ value: StaticString, to connection: OpaquePointer
  ) -> Bool {
    // Literals end with a zero and are never freed. CChar and UInt8 have the same layout.
    func text(_ literal: StaticString) -> UnsafePointer<CChar> {
      UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
    }
    return MHD_set_connection_value(connection, .HEADER_KIND, text(name), text(value)) == .YES
  }

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
          if ASCII.equalsIgnoringCase(bytes, lowercase: lookup.pointee.name.utf8),
            !ConnectionFields.isOwn(bytes)
          {
            lookup.pointee.values.append(ConnectionFields.text(value, valueSize))
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
          let bytes = ConnectionFields.bytes(name, nameSize)
          guard let context, !ConnectionFields.isOwn(bytes) else { return .YES }
          if let name = HTTPField.Name(String(decoding: bytes, as: UTF8.self)) {
            context.assumingMemoryBound(to: HTTPFields.self).pointee.append(
              HTTPField(name: name, value: ConnectionFields.text(value, valueSize)))
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

  /// A field's value.
  private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
    String(decoding: ASCII.trimmed(bytes(start, count)), as: UTF8.self)
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

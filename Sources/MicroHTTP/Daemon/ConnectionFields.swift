import CMicroHTTPD
import Glibc
import HTTPTypes

/// Reads the header fields of a request in libmicrohttpd's memory.
///
/// `@unchecked Sendable`: libmicrohttpd parses a head completely before it calls any callback, and
/// then only reads it until the request is completed. Before that, ``RequestStorage`` replaces this
/// value under its lock, so no reader uses it too late.
struct ConnectionFields: @unchecked Sendable {
  let connection: OpaquePointer

  /// The name of the field that ``suppressLists(of:target:)`` adds. Its address distinguishes it
  /// from the fields of the client.
  private static let ownName: StaticString = "Cookie"

  /// Prevents libmicrohttpd from making lists of a request's parameters and cookies. Called after
  /// the request line was received and its target copied.
  ///
  /// These lists are never read, and each entry takes some fifty bytes of the connection's memory.
  /// A query of some hundred `&`, or as many cookies, exhausts it; then version 0.9 never answers,
  /// or sends the head of its reply twice. It searches for parameters up to the end of the string
  /// after the question mark, and for cookies in the first field named Cookie.
  static func suppressLists(of connection: OpaquePointer, target: UnsafePointer<CChar>?) {
    // After this call the library itself writes to this memory, to separate the path from the
    // query.
    if let target, let question = strchr(target, Int32(UInt8(ascii: "?"))) { question[1] = 0 }
    add(ownName, "", to: connection)
  }

  /// Makes libmicrohttpd close the connection after the reply to this request, as if the client had
  /// asked for it. Must be called before the reply is queued.
  ///
  /// - Returns: false if the connection's memory is exhausted.
  static func close(_ connection: OpaquePointer) -> Bool {
    add("Connection", "close", to: connection)
  }

  /// Returns whether the server added the field with this name itself.
  @inline(__always)
  static func isOwn(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    name.baseAddress == ownName.utf8Start
  }

  /// Adds a field to those of a request. Like every access to the list, this runs on the
  /// connection's serving thread.
  @discardableResult
  private static func add(
    _ name: StaticString, _ value: StaticString, to connection: OpaquePointer
  ) -> Bool {
    // String literals end with a zero and are never freed. CChar and UInt8 have the same layout.
    func text(_ literal: StaticString) -> UnsafePointer<CChar> {
      UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
    }
    return MHD_set_connection_value_n(
      connection, .HEADER_KIND, text(name), name.utf8CodeUnitCount, text(value),
      value.utf8CodeUnitCount) == .YES
  }

  /// Returns the values of a field. The name must be in lower case.
  func values(for name: String) -> [String] {
    // Most fields that are asked for are absent, which takes no callback to find out.
    let isPresent = name.withCString {
      MHD_lookup_connection_value_n(connection, .HEADER_KIND, $0, name.utf8.count, nil, nil) == .YES
    }
    if !isPresent { return [] }
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

  /// Returns a copy of all fields, except those whose name is not a token.
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
    return DetachedFields(fields: fields, remoteAddress: remoteAddress)
  }

  /// The client's IP address as a literal; empty if there is none.
  var remoteAddress: String {
    guard let address = viewdelta_peer_address(connection) else { return "" }
    let size =
      address.pointee.sa_family == sa_family_t(AF_INET6)
      ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
    return SocketAddress.host(of: address, size: socklen_t(size))
  }

  /// Converts a field value to text, without trailing white space.
  private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
    String(decoding: ASCII.trimmed(bytes(start, count)), as: UTF8.self)
  }

  /// Returns C characters as bytes; empty for NULL.
  static func bytes(_ start: UnsafePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    guard let start else { return UnsafeBufferPointer(start: nil, count: 0) }
    // CChar and UInt8 have the same layout, and the memory is only read.
    return UnsafeBufferPointer(
      start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: count)
  }
}

/// A name in lower case and the values found so far.
private struct FieldLookup {
  let name: String
  var values: [String] = []
}

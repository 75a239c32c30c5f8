import HTTPTypes

/// Where the fields of a request are read from.
enum FieldSource: Sendable {
  /// libmicrohttpd's memory, valid until the request is completed.
  case live(ConnectionFields)
  /// A copy.
  case detached(DetachedFields)

  func values(for name: String) -> [String] {
    switch self {
    case .live(let connection): connection.values(for: name)
    case .detached(let copy):
      copy.fields.lazy.filter { $0.name.canonicalName == name }.map(\.value)
    }
  }

  var remoteAddress: String {
    switch self {
    case .live(let connection): connection.remoteAddress
    case .detached(let copy): copy.remoteAddress
    }
  }

  func snapshot() -> DetachedFields {
    switch self {
    case .live(let connection): connection.snapshot()
    case .detached(let copy): copy
    }
  }
}

/// The fields of a request and the address it came from, without a connection.
struct DetachedFields: Sendable {
  let fields: HTTPFields
  let remoteAddress: String

  init(_ fields: HTTPFields, remoteAddress: String = "") {
    self.fields = fields
    self.remoteAddress = remoteAddress
  }
}

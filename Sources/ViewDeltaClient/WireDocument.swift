import CanonicalJSON
import Snapshots

/// A document that the server sends: a whole view model, or the changes between two revisions.
///
/// Unknown members are ignored, so that a later server can add some.
struct WireDocument {
  enum Body {
    /// The content of a `snapshot` or a `reset`.
    case snapshot(Snapshot)
    case diff(from: Text, Changeset)
  }

  let screen: Text
  let revision: Text
  let body: Body
  /// Whether no change leads to it from the revision that the request has named.
  let isReset: Bool
  /// Whether it has the whole view model.
  var isWhole: Bool {
    if case .snapshot = body { true } else { false }
  }
  /// The window through which it shows the view model; `nil` if it shows all rows.
  var window: SeenWindow? {
    switch body {
    case .snapshot(let snapshot): snapshot.window
    case .diff(_, let changeset): changeset.window
    }
  }
  /// The number of rows of the view model or the window, as the document states it.
  private var rowCount: Int {
    switch body {
    case .snapshot(let snapshot): snapshot.rowCount
    case .diff(_, let changeset): changeset.rowCount
    }
  }

  init(parsing bytes: [UInt8]) throws(ReplicaError) {
    let value: JSONValue
    do {
      // The server shows what clients send up to 64 levels deep, with levels of its own around it.
      value = try JSONValue(parsing: bytes, limits: .greatest)
    } catch {
      throw .malformed(error)
    }
    try self.init(JSONReader(value))
  }

  init(_ reader: JSONReader) throws(ReplicaError) {
    let diff: Body?
    do throws(JSONShapeError) {
      screen = try reader.member("screen").string()
      revision = try reader.member("revision").string()
      let kind = try reader.member("kind")
      let name = try kind.string()
      isReset = name == "reset"
      switch name {
      case "snapshot", "reset":
        diff = nil
      case "diff":
        diff = .diff(from: try reader.member("from").string(), try Changeset(wire: reader))
      default:
        throw kind.error("expected \"snapshot\", \"reset\" or \"diff\"")
      }
    } catch {
      throw .unexpectedShape(error)
    }
    if let diff {
      body = diff
    } else {
      body = .snapshot(try Snapshot(wire: reader))
    }
    if let expected = window?.rowCount, rowCount != expected {
      throw .rowCountMismatch(expected: expected, found: rowCount)
    }
  }
}

extension SeenWindow {
  /// The number of rows in the window.
  fileprivate var rowCount: Int { max(0, min(rows.count, total - rows.start)) }
}

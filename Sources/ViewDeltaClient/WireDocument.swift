import CanonicalJSON
import Snapshots

/// A document that the server sends: a whole view model, or what changed in it.
///
/// Members that are unknown here are ignored, so that a later server can add some.
struct WireDocument {
  enum Body {
    /// The content of a `snapshot` or a `reset`.
    case snapshot(Snapshot)
    case diff(from: String, Changeset)
  }

  let screen: String
  let revision: String
  let body: Body

  init(parsing bytes: [UInt8]) throws(ReplicaError) {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: bytes)
    } catch {
      throw .malformed(error)
    }
    let reader = JSONReader(value)
    do {
      screen = try reader.member("screen").string()
      revision = try reader.member("revision").string()
      let kind = try reader.member("kind")
      switch try kind.string() {
      case "snapshot", "reset":
        body = .snapshot(try Self.provenSnapshot(reader))
      case "diff":
        body = .diff(
          from: try reader.member("from").string(), try Changeset(wire: reader))
      default:
        throw kind.error("expected \"snapshot\", \"reset\" or \"diff\"")
      }
    } catch let error as JSONShapeError {
      throw .unexpectedShape(error)
    } catch let error as ReplicaError {
      throw error
    } catch {
      preconditionFailure("no other error is thrown above: \(error)")
    }
  }

  private static func provenSnapshot(_ reader: JSONReader) throws -> Snapshot {
    let snapshot: Snapshot
    do {
      snapshot = try Snapshot(wire: reader)
    } catch let error as SnapshotError {
      throw ReplicaError.duplicateIdentifiers(error)
    }
    let rowCount = try reader.member("rowCount").integer()
    guard snapshot.rowCount == rowCount else {
      throw ReplicaError.rowCountMismatch(expected: rowCount, found: snapshot.rowCount)
    }
    let digest = try Digest(wire: reader.member("digest"))
    guard snapshot.digest == digest else {
      throw ReplicaError.digestMismatch(expected: digest, found: snapshot.digest)
    }
    return snapshot
  }
}

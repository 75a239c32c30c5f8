import CanonicalJSON
import ViewState

/// A page of the kept revisions of a view model, each with its cause and its size.
///
/// Two servers may know one revision by other causes, such as one that was there when it was made and one that has
/// started since. So the entity tag of a page is that of its bytes.
struct HistoryPage: Sendable {
  /// The revisions, oldest first; none if there is none older than the revision that the client names.
  let entries: ArraySlice<Revision>
  /// The revision before all of them; `nil` if it is not kept.
  let previous: Revision?
  /// The newest revision of the page; if it has none, the one that the client names.
  let end: Revision
  private let path: InstancePath

  /// Collects the youngest kept revisions of an instance.
  ///
  /// - Parameters:
  ///   - instance: The instance.
  ///   - path: The path of the instance.
  ///   - end: The revision than which all are older; `nil` collects from the current one on.
  ///   - limit: The largest number of revisions; at least 1.
  /// - Complexity: O(`limit`).
  init(of instance: Instance, at path: InstancePath, before end: Revision?, limit: Int) {
    let current = instance.current
    // One more, because the size of the oldest entry is that of the diff from the revision before it.
    let kept = instance.shown(before: end, limit: limit + 1)
    previous = kept.count > limit ? kept.first : nil
    entries = kept.suffix(limit)
    self.end = entries.last ?? end ?? current
    self.path = path
  }

  /// The value of Link, which leads to the next, older page (RFC 8288); `nil` for the last page.
  var link: String? {
    guard previous != nil, let oldest = entries.first else { return nil }
    return "<\(path.target)/revisions?before=\(oldest.token)&limit=\(entries.count)>; rel=\"next\""
  }

  /// The page as canonical JSON.
  ///
  /// - Complexity: O(*n*), where *n* is the number of entries, and that of the diffs whose sizes are not
  ///   known yet.
  var document: [UInt8] {
    var writer = JSONWriter(capacity: 256 * entries.count)
    writer.raw("{\"revisions\":[")
    var isFirst = true
    var before = previous
    for revision in entries {
      writer.separate(&isFirst)
      revision.encode(into: &writer, after: before)
      before = revision
    }
    writer.raw("],\"screen\":")
    writer.string(end.instanceName)
    writer.raw("}")
    return writer.bytes
  }
}

extension Revision {
  /// Writes the entry of a history.
  ///
  /// - Parameter previous: The revision before this one; `nil` if there was none, or if it is not kept, so
  ///   that the size of the diff is unknown and left out.
  fileprivate func encode(into writer: inout JSONWriter, after previous: Revision?) {
    writer.raw("{\"at\":")
    writer.string(date.description)
    let size = cause == .start ? .zero : previous.map { diffSize(after: $0) }
    if let size {
      writer.raw(",\"bytes\":")
      writer.integer(size.byteCount)
    }
    writer.raw(",\"cause\":")
    encodeCause(into: &writer)
    if let size {
      writer.raw(",\"operations\":")
      writer.integer(size.operationCount)
    }
    writer.raw(",\"revision\":")
    writer.string(token.description)
    writer.raw("}")
  }

  private func encodeCause(into writer: inout JSONWriter) {
    switch cause {
    case .start:
      writer.value(["kind": "start"])
    case .command(let type):
      writer.raw("{")
      switch arguments {
      case .kept(let encoded):
        writer.raw("\"arguments\":")
        writer.raw(encoded)
        writer.raw(",")
      case .omitted: writer.raw("\"argumentsOmitted\":true,")
      case nil: break
      }
      writer.raw("\"kind\":\"command\",\"type\":")
      writer.string(type)
      writer.raw("}")
    case .loaded(let source):
      writer.value(["kind": "loadResult", "source": .string(source), "outcome": "loaded"])
    case .failed(let source, let code):
      writer.value(
        [
          "kind": "loadResult", "source": .string(source), "outcome": "failed",
          "code": .string(code),
        ])
    case .storeWrite(let source):
      writer.value(["kind": "storeWrite", "source": .string(source)])
    }
  }
}

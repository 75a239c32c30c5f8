import CanonicalJSON
import ViewState

/// Some of the kept revisions of a view model, each with its cause and its size.
///
/// What a page says never changes: the last revision in it, their number, and whether there is an
/// older one say it all.
struct HistoryPage: Sendable {
  /// Oldest first; none if there is nothing older than the revision that the client named.
  let entries: ArraySlice<Revision>
  /// The revision before all of them; `nil` if it is not kept.
  let previous: Revision?
  /// The newest revision of the page, or the one that it is to be older than if it has none.
  let end: Revision
  private let screen: Text
  private let path: ScreenPath

  /// The youngest of the kept revisions that are older than `end`, or of all.
  ///
  /// - Parameter limit: How many there are at most; at least 1.
  /// - Complexity: O(`limit`).
  init(of screen: any ScreenInstance, at path: ScreenPath, before end: Revision?, limit: Int) {
    let current = screen.current
    // One more than asked for: the size of the oldest entry is that of a diff from the one before.
    let kept = screen.kept(before: end?.token, limit: limit + 1)
    previous = kept.count > limit ? kept.first : nil
    entries = kept.suffix(limit)
    self.end = entries.last ?? end ?? current
    self.screen = screen.name
    self.path = path
  }

  var tag: EntityTag {
    EntityTag("\(end.token)-\(entries.count)\(previous == nil ? "" : "-more")")
  }

  /// Where the next page is, which is older (RFC 8288); `nil` after the last one.
  var link: String? {
    guard previous != nil, let oldest = entries.first else { return nil }
    let segments = [path.screen, path.key].map { ResourceID(named: $0).pathSegment }
    let page = "/v1/view-models/\(segments[0])/\(segments[1])/revisions"
    return "<\(page)?before=\(oldest.token)&limit=\(entries.count)>; rel=\"next\""
  }

  /// The page as canonical JSON.
  ///
  /// - Complexity: O(n), where n is the number of entries, beside the diffs whose size was not asked
  ///   for before.
  var document: [UInt8] {
    var writer = JSONWriter(capacity: 256 * entries.count)
    writer.raw("{\"revisions\":[")
    var isFirst = true
    var before = previous
    for revision in entries {
      writer.separate(&isFirst)
      revision.encode(into: &writer, after: before, of: screen)
      before = revision
    }
    writer.raw("],\"screen\":")
    writer.string(screen)
    writer.raw("}")
    return writer.bytes
  }
}

extension Revision {
  /// Writes the entry of a history.
  ///
  /// - Parameter previous: the revision before; `nil` if there was none, or it is not kept, and then
  ///   the size of the diff from there is not known.
  fileprivate func encode(
    into writer: inout JSONWriter, after previous: Revision?, of screen: Text
  ) {
    writer.raw("{\"at\":")
    writer.string(date.description)
    if let count = cause == .start ? 0 : previous.map({ diffByteCount(after: $0, of: screen) }) {
      writer.raw(",\"bytes\":")
      writer.integer(count)
    }
    writer.raw(",\"cause\":")
    encodeCause(into: &writer)
    writer.raw(",\"operations\":")
    writer.integer(operationCount)
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

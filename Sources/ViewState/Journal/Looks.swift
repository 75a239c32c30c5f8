package import CanonicalJSON
import Snapshots

/// How view models looked after an input. Another program checks with it whether they look the same.
package struct Looks: Codable, Hashable, Sendable {
  /// The name of the note with it.
  fileprivate static let note: Text = "looks"
  /// The largest number of view models of a screen.
  static let limit = 10_000

  /// The position of the input.
  package let position: Int
  /// The digests of view models that inputs or clients had made, by their names.
  package let digests: [Text: Text]

  init(_ moment: Moment) {
    position = moment.position
    digests = moment.heads.reduce(into: [:]) { digests, head in
      if head.failure == nil { digests[head.instanceName] = Text(head.snapshot.digest.description) }
    }
  }
}

extension Journal {
  /// How view models looked when the server stopped, or at its last checkpoint; `nil` if that was never noted.
  package var looks: Looks? {
    get throws(JournalError) {
      let note = try note(Looks.note)
      return try? note?.decode(Looks.self)
    }
  }

  /// Notes how view models look. Ignores errors: without the note a check compares less.
  func note(_ looks: Looks) {
    guard let json = try? JSONValue(encoding: looks) else { return }
    try? write(json, named: Looks.note)
  }
}

package import CanonicalJSON
import Snapshots

/// How view models looked after an input. Another program checks with it whether they look the same.
package struct Looks: Codable, Hashable, Sendable {
  /// The name of the note with it.
  static let note: Text = "looks"
  /// The largest number of view models of a screen.
  static let limit = 10_000

  /// The position of the input.
  package let position: Int
  /// The digests of view models that clients had read, by their names.
  package let digests: [Text: Text]

  init(_ moment: Moment) {
    position = moment.position
    digests = moment.heads.reduce(into: [:]) {
      $0[$1.screen] = Text($1.snapshot.digest.description)
    }
  }
}

extension Journal {
  /// How view models looked when the server stopped, or at its last checkpoint; `nil` if that was never noted.
  package var looks: Looks? {
    get throws(JournalError) { try note(Looks.note) }
  }
}

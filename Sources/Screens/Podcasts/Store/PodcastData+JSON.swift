public import CanonicalJSON
import ViewState

extension PodcastData {
  /// Reads an object with the array `listeners`, each with an `id`, a `name` and, unless there is
  /// no feed, `podcasts`.
  ///
  /// Unknown members are ignored.
  ///
  /// - Throws: `JSONShapeError` at the first fault.
  public init(
    _ reader: JSONReader, limits: AccountLimits = PodcastSchema.limits
  ) throws(JSONShapeError) {
    self.init(limits: limits)
    for element in try reader.nullableMember("listeners")?.elements() ?? [] {
      let listener = try Listener(element.omitting("podcasts"))
      try element.storing { () throws(Failure) in _ = try insert(listener) }
      guard let feed = try element.nullableMember("podcasts") else { continue }
      try feed.storing { () throws(Failure) in try startEntries(of: listener.id) }
      for item in try feed.elements() {
        let podcast = try FeedItem(item)
        try item.storing { () throws(Failure) in _ = try insert(podcast, of: listener.id) }
      }
    }
  }
}

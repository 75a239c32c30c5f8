public import CanonicalJSON

extension PodcastData {
  /// Reads an object with the array `listeners`, each with an `id`, a `name` and, unless there is
  /// no feed, `podcasts`.
  ///
  /// Unknown members are ignored.
  ///
  /// - Throws: `JSONShapeError` at the first fault.
  public init(
    _ reader: JSONReader, limits: PodcastStoreLimits = PodcastStoreLimits()
  ) throws(JSONShapeError) {
    self.init(limits: limits)
    for element in try reader.member("listeners").elements() {
      let listener = try Listener(element)
      try load(element) { data throws(PodcastStoreError) in _ = try data.insert(listener) }
      guard let feed = try element.nullableMember("podcasts") else { continue }
      try load(feed) { data throws(PodcastStoreError) in try data.startFeed(of: listener.id) }
      for item in try feed.elements() {
        let podcast = try FeedItem(item)
        try load(item) { data throws(PodcastStoreError) in
          _ = try data.insert(podcast, of: listener.id)
        }
      }
    }
  }

  private mutating func load(
    _ reader: JSONReader, insert: (inout PodcastData) throws(PodcastStoreError) -> Void
  ) throws(JSONShapeError) {
    do {
      try insert(&self)
    } catch {
      throw JSONShapeError(pointer: reader.pointer, message: "this cannot be added: \(error)")
    }
  }
}

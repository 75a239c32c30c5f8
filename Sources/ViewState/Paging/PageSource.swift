public import CanonicalJSON
public import Snapshots

/// The source of the pages of a long list.
///
/// ```swift
/// PageSource(size: 20, reading: store) { data, key in data.activity[key] }
/// ```
public struct PageSource<Item: Pageable & Codable>: Sendable where Item.Position: Codable {
  let fetch: Fetch<PageRequest<Item.Position>, Page<Item>>
  /// Reads the whole list of a store, so that screens show a write at once.
  let list: (@Sendable (Stores, Text) -> KeyedSequence<Item>?)?

  /// Creates a source outside of the engine; see ``Source/init(every:load:)``.
  public init(
    load: @escaping @Sendable (_ key: Text, PageRequest<Item.Position>) async throws -> Page<Item>
  ) {
    fetch = Fetch(load: load)
    list = nil
  }

  /// Creates a source that reads the pages of a list in a store. Screens show a write to the store at once, without a
  /// load: after each write, `list` is called for each view model in use, and for each with a state of its own.
  ///
  /// - Parameters:
  ///   - size: The largest number of items of a page.
  ///   - store: The store.
  ///   - list: Returns the list for a key, in ascending order of ``Pageable/position``, or `nil` if there is none.
  ///     If the positions of the items of a page, and of the item after them, do not ascend, the load of the page
  ///     fails as `malformed`.
  /// - Precondition: `size` is at least 1.
  public init<Stored: StoreValue>(
    size: Int, reading store: Store<Stored>,
    list: @escaping @Sendable (Stored, _ key: Text) -> KeyedSequence<Item>?
  ) {
    self.init(size: size, .whole(of: store)) { list($0[store], $1) }
  }

  /// Creates a source that reads a store, or one element of it.
  init(
    size: Int, _ store: ShownStore,
    _ list: @escaping @Sendable (Stores, _ key: Text) -> KeyedSequence<Item>?
  ) {
    guard size >= 1 else { fatalError("a page without items has no end") }
    fetch = Fetch(store) { _, key, request, stores in
      guard let list = list(stores, key) else { throw LoadFailure.missing }
      let page = Page(request, of: list, size: size)
      // Without this, the list would end too early, and nothing would say why.
      if !page.ascends(in: list) {
        throw LoadFailure.unreadable.because(
          "the positions of the items do not ascend: see Pageable")
      }
      return page
    }
    self.list = list
  }
}

public import CanonicalJSON
public import Snapshots

/// A part of a screen that loads a long list page by page.
///
/// ```swift
/// LoadingPages(
///   "activity", \.activity, from: pages, as: Self.entry, id: { "entry/\($0.id)" },
///   empty: "Nothing yet", failure: "Couldn't load the activity.", end: { "All \($0) entries" })
/// ```
///
/// With `showing`, a change shows before it is written; see ``Saving``:
///
/// ```swift
/// showing: { state, entry in state.removed.contains(entry.id) ? nil : entry }
/// ```
///
/// The last row says whether a page is loading or can be loaded (`activity/progress`), or has failed
/// (`activity/error`), or that the list has ended (`activity/end`) or is empty (`activity/empty`). The part above has the
/// commands `loadActivity`, `loadNextActivity`, `retryActivity` and `cancelActivity`.
///
/// After a change was written, ``PagingState/reload()`` shows it, but leads back to the first page. To keep the pages,
/// put the written change into the state, too, and let `showing` apply it as those that wait.
public struct LoadingPages<State, Item: Pageable & Codable>: ScreenPart
where Item.Position: Codable {
  public let name: Text
  private let path: any WritableKeyPath<State, PagingState<Item>> & Sendable
  private let source: PageSource<Item>
  private let item: RowType<Item>
  private let id: @Sendable (Item) -> Text
  private let shown: (@Sendable (State, Item) -> Item?)?
  private let heading: @Sendable (_ isRequested: Bool) -> [RowPart]
  private let empty: Text
  private let language: Language
  private let end: @Sendable (Int) -> Text
  /// The command that loads the list from its start.
  public let load: Command<State>
  private let loadNext: Command<State>
  private let retry: Command<State>
  private let cancel: Command<State>
  private let progress: RowType<Progress>
  private let more: RowType<Progress>
  private let error: RowType<LoadFailure>

  private struct Progress: Hashable, Sendable {
    let isLoading: Bool
    let text: Text
  }

  /// Declares a part.
  ///
  /// - Parameters:
  ///   - name: The name of the part in `states`, in causes, and in the names of its commands.
  ///   - path: The path to the part in the state of the screen.
  ///   - source: The source of the pages.
  ///   - commands: The names of the commands; unless given, they are made of `name`.
  ///   - item: The type of the rows of items.
  ///   - id: Returns the id of the row of an item.
  ///   - shown: Returns an item as a state shows it, such as with a change that is not written yet, or `nil` to leave
  ///     it out; unless given, all items are shown as they were loaded.
  ///   - empty: The text of the row of a list without items that are shown.
  ///   - failure: The text of the row of a page that could not be loaded.
  ///   - end: Returns the text of the row at the end of a list with this number of items that are shown.
  ///   - language: The language of the texts of pages, of the messages of failures, and of the titles of actions.
  ///   - heading: Makes the rows that come first, which may depend on whether the list was requested.
  public init(
    _ name: Text, _ path: any WritableKeyPath<State, PagingState<Item>> & Sendable,
    from source: PageSource<Item>, commands: PagingCommandNames? = nil, as item: RowType<Item>,
    id: @escaping @Sendable (Item) -> Text,
    showing shown: (@Sendable (State, Item) -> Item?)? = nil, empty: Text, failure: Text,
    end: @escaping @Sendable (Int) -> Text, language: Language = .en,
    @ListBuilder<RowPart> heading: @escaping @Sendable (_ isRequested: Bool) -> [RowPart] = {
      _ in []
    }
  ) {
    let suffix = name.capitalized
    let names =
      commands ?? ("load\(suffix)", "loadNext\(suffix)", "retry\(suffix)", "cancel\(suffix)")
    self.name = name
    self.path = path
    self.source = source
    self.item = item
    self.id = id
    self.shown = shown
    self.heading = heading
    self.empty = empty
    self.language = language
    self.end = end
    load = Command(names.load, "Loads \(name) from the start. Ignored while it is loading.")
    let loadNext = Command<State>(
      names.loadNext,
      "Loads the next page of \(name). Ignored while it is loading, after a failure, and at the end."
    )
    let retry = Command<State>(
      names.retry, "Loads the page of \(name) that failed. Ignored unless one has failed.")
    let cancel = Command<State>(
      names.cancel, "Cancels the running load of \(name). Ignored while it is not loading.")
    (self.loadNext, self.retry, self.cancel) = (loadNext, retry, cancel)
    func row(_ action: Action<Progress>) -> RowType<Progress> {
      RowType("pageProgress", "A page that is loading or can be loaded.") {
        Field("isLoading", \.isLoading)
        Field("text", \.text)
        action
      }
    }
    progress = row(Action(cancel, Localized.cancel[language]))
    more = row(Action(loadNext, Localized(en: "Load more", de: "Mehr laden")[language]))
    error = .failure(
      "contentError", "A failure to load, with a retry.", failure, retry: retry, in: language)
  }

  private static var emptyRow: RowType<Text> { RowType(text: "contentEmpty", "An empty list.") }
  private static var endRow: RowType<Text> { RowType(text: "pageEnd", "The end of a list.") }

  private func request(_ work: PartWork) -> PageRequest<Item.Position>? {
    if work.isReload { return .first }
    return try? work.request?.decode(PageRequest<Item.Position>.self)
  }
}

extension LoadingPages: RunningPart {
  var place: AnyKeyPath { path }

  public var commands: [AnyCommand<State>] {
    [
      load.reducing { $0[keyPath: path].reduce(.load, of: name) },
      loadNext.reducing { $0[keyPath: path].reduce(.loadNext, of: name) },
      retry.reducing { $0[keyPath: path].reduce(.retry, of: name) },
      cancel.reducing { $0[keyPath: path].reduce(.cancel, of: name) },
    ]
  }

  public var rowTypes: [RowTypeDescriptor] {
    [
      item.descriptor, progress.descriptor, more.descriptor, error.descriptor,
      Self.emptyRow.descriptor, Self.endRow.descriptor,
    ]
  }

  var stateMachine: StateMachine {
    PagingState.machine(
      of: name, commands: (load.name, loadNext.name, retry.name, cancel.name))
  }

  var shownStores: [ShownStore] { source.fetch.shownStores }

  public func stateName(in state: State) -> String { state[keyPath: path].paging.stateName }

  func running(in state: State) -> [(work: PartWork, token: LoadToken)] {
    let part = state[keyPath: path]
    guard case .isLoading(let request, _) = part.paging else { return [] }
    let json = part.isReload ? PartWork.reload : try? JSONValue(encoding: request)
    return [(PartWork(part: name, request: json), part.token)]
  }

  public func load(_ state: inout State) { state[keyPath: path].load() }

  func start(_ work: PartWork, for key: Text, in stores: Stores) -> Work {
    guard let request = request(work) else { return .failing(.unreadable, after: .zero) }
    return source.fetch.work(key, request, stores).calling(anew: work.isReload)
  }

  func end(
    _ work: PartWork, _ token: LoadToken, bringing result: JSONValue?,
    failing failure: inout LoadFailure?, on state: inout State, for key: Text,
    in transaction: inout Transaction
  ) -> ScreenIncident.Kind? {
    let page = Result(failing: &failure) {
      guard let request = request(work) else { throw LoadFailure.unreadable }
      let page = try source.fetch.value(result, key, request, transaction.stores)
      // Clients that load while users scroll would ask for it again and again.
      if case .after(let start) = request, page.end == start {
        throw LoadFailure.unreadable.because(
          "the next page begins after \(start), as this one does")
      }
      return page
    }
    return state[keyPath: path].reduce(PagingAction(page, token), of: name)
  }

  /// Takes over the new content of the loaded part of the list from the store.
  public func follow(_ stores: Stores, on state: inout State, for key: Text) {
    guard let list = source.list?(stores, key) else { return }
    _ = state[keyPath: path].reduce(.changed(list))
  }

  @ListBuilder<RowPart>
  public func rows(_ state: State) -> [RowPart] {
    let paging = state[keyPath: path].paging
    heading(paging.isRequested)
    let items = items(paging, in: state)
    ForEach(items, as: item, id: id)
    switch paging {
    case .notRequested: []
    case .isLoading:
      progress(rowID("progress"), Progress(isLoading: true, text: Localized.loading[language]))
    case .loaded(let page) where page.end != nil:
      more(rowID("progress"), Progress(isLoading: false, text: text(of: items.count)))
    case .loaded where items.isEmpty: Self.emptyRow(rowID("empty"), empty)
    case .loaded: Self.endRow(rowID("end"), end(items.count))
    case .failed(let failure, _, _): error(rowID("error"), failure)
    }
  }

  private func items(_ paging: Paging<Item>, in state: State) -> [Item] {
    let items = paging.shown?.items ?? []
    return shown.map { shown in items.compactMap { shown(state, $0) } } ?? items
  }

  private func text(of count: Int) -> Text {
    let number = language.number(count)
    return Localized(en: "\(number) shown", de: "\(number) angezeigt")[language]
  }

  private func rowID(_ name: Text) -> Text { "\(self.name)/\(name)" }
}

extension Paging {
  /// Whether a load was started.
  fileprivate var isRequested: Bool {
    guard case .notRequested = self else { return true }
    return false
  }
}

extension PagingAction {
  /// Creates the action that ends the load of a page.
  fileprivate init(_ result: Result<Page<Item>, LoadFailure>, _ token: LoadToken) {
    switch result {
    case .success(let page): self = .loaded(page, token)
    case .failure(let failure): self = .failed(failure, token)
    }
  }
}

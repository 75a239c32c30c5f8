import CanonicalJSON
import Snapshots
import TestSupport
import Testing

@testable import ViewState

/// The reducer of a long list as a table: each state meets each action.
@Suite("The reducer of a long list")
struct PagingStateTests {
  struct Item: Pageable {
    let id: Int
    var position: Int { id }
  }

  static func page(_ ids: ClosedRange<Int>, end: Int?) -> Page<Item> {
    Page(items: ids.map { Item(id: $0) }, end: end)
  }

  static let (token, late) = (LoadToken(ordinal: 3), LoadToken(ordinal: 2))
  static let (some, all) = (page(1...2, end: 2), page(1...4, end: nil))
  static let next = page(3...4, end: nil)

  static let states: [Paging<Item>] = [
    .notRequested, .isLoading(.first, shown: nil), .isLoading(.first, shown: some),
    .isLoading(.after(2), shown: some), .loaded(some), .loaded(all),
    .failed(.unavailable, .first, shown: nil), .failed(.unavailable, .after(2), shown: some),
  ]

  static let actions: [PagingAction<Item>] = [
    .load, .loadNext, .retry, .loaded(next, token), .failed(.timedOut, token), .cancel,
    .changed([]), .loaded(next, late), .failed(.timedOut, late),
  ]

  /// The table, written down a second time.
  private static func expected(
    _ state: Paging<Item>, _ action: PagingAction<Item>
  ) -> (Paging<Item>, LoadStep) {
    switch (action, state) {
    case (.loaded(_, late), _), (.failed(_, late), _): return (state, .refused(.late))
    case (.load, .isLoading), (.loadNext, .isLoading), (.retry, .isLoading):
      return (state, .refused(.duplicate))
    case (.load, _): return (.isLoading(.first, shown: state.shown), .started(token.next))
    case (.loadNext, .loaded(some)):
      return (.isLoading(.after(2), shown: some), .started(token.next))
    case (.loadNext, _): return (state, .ignored)
    case (.retry, .failed(_, let request, let shown)):
      return (.isLoading(request, shown: shown), .started(token.next))
    case (.retry, _): return (state, .ignored)
    case (.loaded, .isLoading(.first, _)): return (.loaded(next), .ended(token))
    case (.loaded, .isLoading): return (.loaded(all), .ended(token))
    case (.failed, .isLoading(let request, let shown)):
      return (.failed(.timedOut, request, shown: shown), .ended(token))
    case (.loaded, _), (.failed, _): return (state, .refused(.impossible))
    case (.cancel, .isLoading(_, let shown?)): return (.loaded(shown), .ended(token))
    case (.cancel, .isLoading): return (.failed(.cancelled, .first, shown: nil), .ended(token))
    case (.cancel, _), (.changed, .notRequested): return (state, .ignored)
    case (.changed, .isLoading(let request, let shown)):
      return (.isLoading(request, shown: shown.map(emptied)), .replaced)
    case (.changed, .loaded): return (.loaded(Page(items: [], end: nil)), .replaced)
    case (.changed, .failed(let failure, let request, let shown)):
      return (.failed(failure, request, shown: shown.map(emptied)), .replaced)
    }
  }

  private static func emptied(_ page: Page<Item>) -> Page<Item> { Page(items: [], end: page.end) }

  @Test("does in each state with each action what the table says")
  func table() {
    for state in Self.states {
      for action in Self.actions {
        var actual = PagingState(state, token: Self.token)
        let step = actual.reduce(action)
        let expected = Self.expected(state, action)
        #expect(actual.paging == expected.0, "\(state) meets \(action)")
        #expect(step == expected.1, "\(state) meets \(action)")
      }
    }
  }

  @Test("makes an incident of an action that it does not allow, and of no other")
  func incidents() {
    var state = PagingState<Item>()
    #expect(state.reduce(.load, of: "items") == nil)
    #expect(
      state.reduce(.loadNext, of: "items")
        == .transition(source: "items", .duplicate, action: "loadNext", state: "isLoading"))
    #expect(state.reduce(.loaded(Self.some, LoadToken(ordinal: 1)), of: "items") == nil)
    #expect(state.reduce(.retry, of: "items") == nil)
  }

  @Test("cuts a list into pages that hold each item once, whatever the size")
  func cutting() {
    let list = KeyedSequence((1...17).map { Item(id: $0) })
    for size in 1...18 {
      var shown = Page(.first, of: list, size: size)
      var loads = 1
      while let end = shown.end {
        var state = PagingState(Paging.isLoading(.after(end), shown: shown), token: Self.token)
        _ = state.reduce(.loaded(Page(.after(end), of: list, size: size), Self.token))
        shown = state.paging.shown ?? shown
        loads += 1
      }
      #expect(shown.items == Array(list) && loads == (17 + size - 1) / size)
    }
    #expect(Page<Item>(.first, of: [], size: 3) == Page(items: [], end: nil))
  }

  @Test("shows an item once that a source gives twice, in one page or in two")
  func repeatedItem() {
    func shown(_ pages: [[Int]]) -> [Int]? {
      var state = PagingState<Item>()
      for (index, ids) in pages.enumerated() {
        _ = state.reduce(index == 0 ? .load : .loadNext)
        let page = Page(items: ids.map { Item(id: $0) }, end: ids.last)
        _ = state.reduce(.loaded(page, LoadToken(ordinal: index + 1)))
      }
      return state.paging.shown?.items.map(\.id)
    }
    #expect(shown([[1, 2, 2, 3, 1]]) == [1, 2, 3])
    #expect(shown([[1, 2], [2, 3, 3, 4]]) == [1, 2, 3, 4])
  }

  @Test("neither leaves out nor repeats an item while items come and go")
  func changes() throws {
    try withSeeds(200) { generator in
      var list = KeyedSequence((0..<generator.number(in: 0...30)).map { Item(id: $0 * 2) })
      var state = PagingState<Item>()
      var running: (PageRequest<Int>, LoadToken)?
      for _ in 0..<40 {
        var step = LoadStep.ignored
        switch generator.number(in: 0...5) {
        case 0: step = state.reduce(generator.chance(0.2) ? .load : .loadNext)
        case 1: step = state.reduce(.retry)
        case 2, 3:
          let id = generator.number(in: 0...60)
          list.remove(id: id)
          if generator.chance(0.5) { list.insert(Item(id: id)) { $0.id < $1.id } }
          step = state.reduce(.changed(list))
        default:
          guard let (request, token) = running else { break }
          running = nil
          let page = Page(request, of: list, size: 3)
          _ = state.reduce(
            generator.chance(0.2) ? .failed(.unavailable, token) : .loaded(page, token))
        }
        if case .started(let token) = step, case .isLoading(let request, _) = state.paging {
          running = (request, token)
        }
        guard let shown = state.paging.shown else { continue }
        let expected = shown.end.map { end in list.filter { $0.position <= end } } ?? Array(list)
        try require(shown.items == expected, "\(shown) of \(list)")
        if case .loaded = state.paging, case .replaced = step {
          try require(shown.end == nil || expected.count < list.count, "nothing comes next")
        }
      }
    }
  }

  @Test("loads the page again that has failed, after those before it", arguments: states)
  func retry(paging: Paging<Item>) {
    var state = PagingState(paging, token: Self.token)
    state.retry()
    guard case .failed(_, let request, let shown) = paging else {
      #expect(state == PagingState(paging, token: Self.token))
      return
    }
    #expect(state.paging == .isLoading(request, shown: shown) && state.token != Self.token)
  }

  @Test(
    "loads from its start at once when it is reloaded, and refuses what ran before",
    arguments: states)
  func reload(paging: Paging<Item>) throws {
    var state = PagingState(paging, token: Self.token)
    state.reload()
    #expect(state.paging == .isLoading(.first, shown: paging.shown))
    #expect(state.token != Self.token)
    #expect(state.reduce(.loaded(Self.next, Self.token)) == .refused(.late))
    #expect(state.reduce(.loaded(Self.some, state.token)) == .ended(state.token))
    #expect(state == PagingState(.loaded(Self.some), token: state.token))
  }
}

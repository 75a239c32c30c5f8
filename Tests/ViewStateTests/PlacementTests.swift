import CanonicalJSON
import Snapshots
import Testing
import ViewState

@Suite("A place in a list")
struct PlacementTests {
  private struct Line: Identifiable, Equatable, Sendable {
    let id: ResourceID
  }

  private let lines = KeyedSequence([1, 2, 3].map { Line(id: $0) })

  @Test("is a position for each element, counted without the element")
  func positions() throws {
    #expect(try lines.position(of: 1, at: .after(3)) == 2)
    #expect(try lines.position(of: 3, at: .before(1)) == 0)
    #expect(try lines.position(of: 2, at: .after(1)) == 1)
    #expect(try lines.position(at: .after(3)) == 3)
  }

  @Test("is refused for an element that is not there, and beside none or itself")
  func refusals() {
    #expect(throws: StoreError.missing(MissingElement("element"))) {
      try lines.position(of: 9, at: .after(1))
    }
    for neighbour in [1, 9] as [ResourceID] {
      let error = #expect(throws: StoreError.self) {
        try lines.position(of: 1, at: .before(neighbour))
      }
      guard case .malformed(let wrong)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(wrong.pointer.description == "/before")
    }
  }
}

import CanonicalJSON
import Testing
import ViewState

@testable import Forms

@Suite("The change of the description of a form")
struct OutlineChangeTests {
  private static func outline(_ kinds: [Text: JSONValue]) -> FormOutline {
    let rows = kinds.sorted { $0.key < $1.key }
      .map { JSONValue.object(["id": .string($0.key), "kind": $0.value, "label": "L"]) }
    return FormKinds.standard.outline([["id": "s", "rows": .array(rows)]])
  }

  @Test("keeps the rows of the same id and kind, whichever forms were changed before")
  func kept() {
    let outlines = [
      Self.outline(["a": "text", "b": "text"]), Self.outline(["a": "switch", "b": "text"]),
      Self.outline(["b": "text", "c": "text"]), Self.outline([:]), FormOutline(),
    ]
    let kept: [[Set<ResourceID>]] = [
      [["a", "b"], ["b"], ["b"], [], []], [["b"], ["a", "b"], ["b"], [], []],
      [["b"], ["b"], ["b", "c"], [], []], [[], [], [], [], []], [[], [], [], [], []],
    ]
    // Each twice, in two orders, so that some are known from the time before.
    for (before, after) in [(0, 1), (1, 0), (0, 1), (0, 2), (0, 1)]
      + (0..<25).flatMap({ [($0 / 5, $0 % 5), ($0 % 5, $0 / 5)] })
    {
      let change = OutlineChange.from(outlines[before], to: outlines[after])
      #expect(change.kept == kept[before][after])
      #expect(change.isNone == (before == after))
    }
  }

  @Test("is none between equal descriptions that were read twice")
  func equal() {
    #expect(OutlineChange.from(Self.outline(["a": "text"]), to: Self.outline(["a": "text"])).isNone)
  }
}

import CanonicalJSON
import Testing

@testable import ViewState

@Suite("What recorded states have in common")
struct CommonPartsTests {
  /// A part with an identity.
  private final class Part: Equatable, Sendable {
    let text: Text
    init(_ text: Text) { self.text = text }
    static func == (left: Part, right: Part) -> Bool { left.text == right.text }
  }

  private func read(_ text: Text) -> Part {
    CommonParts.value(of: .string(text), as: Part.self) { (json) throws(Never) in Part(text) }
  }

  @Test("is one object for all that are read together, and other objects at other times")
  func read() {
    let parts = CommonParts.kept { () throws(Never) in [read("a"), read("b"), read("a")] }
    #expect(parts.map(\.text) == ["a", "b", "a"])
    #expect(parts[0] === parts[2] && parts[0] !== read("a") && read("a") !== read("a"))
  }

  @Test("is written as it is, though another one that is equal is written in another way")
  func alike() {
    let ids: [ResourceID] = [ResourceID(1), "1", ResourceID(1)]
    CommonParts.kept { () throws(Never) in
      #expect(ids.map { CommonParts.json(of: $0, \.json) } == [1, "1", 1])
    }
  }

  @Test("is written once, also if each state has another part besides")
  func written() {
    var count = 0
    let common = Part("common")
    CommonParts.kept { () throws(Never) in
      for number in 1...100 {
        for part in [common, Part("\(number)")] {
          let json = CommonParts.json(of: part) { part in
            count += 1
            return .string(part.text)
          }
          #expect(json == .string(part.text))
        }
      }
    }
    #expect(count == 101)
  }
}

import CanonicalJSON
import TestSupport
import Testing

@Suite("The weights of a form's rows")
struct FormWeightTests {
  @Test("order the rows whatever the order of arrival, and equal ones keep theirs")
  func arrival() async throws {
    let weights: [Text: Int] = ["a": 0, "b": 5, "c": 5, "d": -3, "e": 10]
    try await withSeeds(20) { generator in
      let fixture = try FormFixture([["id": "s"]])
      let arrival = weights.keys.sorted().shuffled(using: &generator)
      for id in arrival {
        try await fixture.apply([
          "operation": "append",
          "rows": [FormOperationTests.header(id, weight: weights[id])],
        ])
      }
      let equals = arrival.filter { ["b", "c"].contains($0) }
      try require(
        fixture.rows == ["d", "a"] + equals + ["e"], "\(arrival) came to stand as \(fixture.rows)")
    }
  }

  @Test("order the rows of a description too, in groups as in sections")
  func descriptions() throws {
    let rows: JSONValue = [
      FormOperationTests.header("b", weight: 1),
      [
        "id": "g", "kind": "group", "text": "G", "weight": -1,
        "rows": [
          FormOperationTests.header("y", weight: 2), FormOperationTests.header("x"),
        ],
      ],
      FormOperationTests.header("c", weight: 1), FormOperationTests.header("a"),
    ]
    #expect(try FormFixture(rows: rows).rows == ["g", "x", "y", "a", "b", "c"])
  }

  @Test("order the rows of a section that is inserted")
  func section() async throws {
    let fixture = try FormFixture([])
    let rows: JSONValue = [
      FormOperationTests.header("b", weight: 1), FormOperationTests.header("a"),
    ]
    try await fixture.apply([
      "operation": "appendSection", "newSection": ["id": "s", "rows": rows],
    ])
    #expect(fixture.rows == ["a", "b"])
  }

  @Test("are taken over from the place that a row is given, so that later ones find theirs")
  func placed() async throws {
    let fixture = try FormFixture(rows: [
      FormOperationTests.header("light", weight: 1), FormOperationTests.header("heavy", weight: 9),
    ])
    try await fixture.apply([
      "operation": "insertBefore", "rows": FormOperationTests.headers("n"), "row": "heavy",
    ])
    let five = FormOperationTests.header("five", weight: 5)
    try await fixture.apply(["operation": "append", "rows": [five]])
    #expect(fixture.rows == ["light", "five", "n", "heavy"])
    // What is swapped exchanges its weight as well.
    try await fixture.apply(["operation": "swap", "row": "light", "other": "heavy"])
    let one = FormOperationTests.header("one", weight: 1)
    try await fixture.apply(["operation": "append", "rows": [one]])
    #expect(fixture.rows == ["heavy", "one", "five", "n", "light"])
  }
}

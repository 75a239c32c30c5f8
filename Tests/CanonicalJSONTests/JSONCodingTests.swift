import CanonicalJSON
import Foundation
import TestSupport
import Testing

@Suite("A Codable value as JSON")
struct JSONCodingTests {
  @Test("is written with sorted keys, sets and dictionaries in order, and without absent members")
  func form() throws {
    var sample = Sample()
    sample.tags = ["b", "a", "c"]
    sample.byColour = [.red: 1, .blue: 2]
    sample.byPoint = [Point(x: 2, y: 0): "two", Point(x: 1, y: 0): "one"]
    sample.shape = .circle(at: Point(x: 1, y: 2), radius: 1.5)
    #expect(
      try JSONValue(encoding: sample) == [
        "big": "9223372036854775807", "byColour": ["blue": 2, "red": 1],
        "byPoint": [["x": 1, "y": 0], "one", ["x": 2, "y": 0], "two"], "colour": "red",
        "document": nil, "float": 0.5, "number": 0.1, "path": [[1, -1], []],
        "shape": ["circle": ["at": ["x": 1, "y": 2], "radius": 1.5]], "small": -128,
        "tags": ["a", "b", "c"], "text": "t", "unsigned": "18446744073709551615",
      ])
  }

  @Test("reads back as it was, and has the same bytes in whatever order it was filled")
  func roundTrip() throws {
    try withSeeds(300) { random in
      let sample = random.sample()
      let json = try JSONValue(encoding: sample)
      let bytes = json.canonicalBytes()
      try require(try json.decode(Sample.self) == sample, "\(json) reads back as another value")
      let parsed = try JSONValue(parsing: bytes, limits: .greatest)
      try require(try parsed.decode(Sample.self) == sample, "its bytes read back as another value")
      try require(try JSONValue(encoding: parsed.decode(Sample.self)) == json, "written otherwise")
      var refilled = sample
      refilled.tags = Set(minimumCapacity: 100)
      for tag in sample.tags.shuffled(using: &random) { refilled.tags.insert(tag) }
      refilled.byPoint = Dictionary(minimumCapacity: 100)
      for (key, value) in sample.byPoint.shuffled(using: &random) { refilled.byPoint[key] = value }
      try require(
        try JSONValue(encoding: refilled).canonicalBytes() == bytes, "the order of filling shows")
    }
  }

  @Test("carries JSON as it is")
  func json() throws {
    try withSeeds(200) { random in
      let json = random.json()
      try require(try JSONValue(encoding: json) == json, "\(json) is changed")
      try require(try json.decode(JSONValue.self) == json, "\(json) is read otherwise")
      let wrapped = try JSONValue(encoding: ["a": json])
      try require(try wrapped.decode([Text: JSONValue].self) == ["a": json], "\(json) is changed")
    }
  }

  @Test("may be of a type that codes itself as its JSON, whose numbers and digits stay as they are")
  func wrapper() throws {
    let values: [JSONValue] = [
      "9007199254740994", "-0", .number(-0.0), 1.5, nil, true, [1, ["a": "-0"]], ["a": "-0"],
    ]
    for json in values {
      let written = try JSONValue(encoding: [Wrapper(json: json)])
      #expect(written == [json])
      #expect(try written.decode([Wrapper].self)[0].json == json)
    }
    for number in [JSONValue.integer(1 << 53 + 1), .number(1e17)] {
      #expect(throws: JSONShapeError.self) { try JSONValue(encoding: [Wrapper(json: number)]) }
    }
  }

  @Test("that another coder reads is refused if JSON does not carry one of its numbers exactly")
  func otherNumbers() throws {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([JSONValue].self, from: Data("[9007199254740993]".utf8))
    }
  }

  @Test("that is JSON passes through another coder too")
  func otherCoder() throws {
    try withSeeds(50) { random in
      let json = JSONValue.object([
        "text": .string(random.text()), "list": [1, -2.5, true, nil, []], "object": ["a": [:]],
      ])
      let data = try JSONEncoder().encode(json)
      try require(try JSONValue(parsing: data) == json, "\(json) is written otherwise")
      try require(try JSONDecoder().decode(JSONValue.self, from: data) == json, "and read so")
    }
  }

  @Test(
    "has each number in one spelling, from which it is read exactly",
    arguments: [
      (0, "0"), (-0.0, #""-0""#), (0.1, "0.1"), (0x1p53, "9007199254740992"),
      (0x1p54, #""18014398509481984""#), (-1e17, #""-100000000000000000""#), (1e21, "1e+21"),
      (.leastNonzeroMagnitude, "5e-324"),
    ])
  func doubles(number: Double, json: String) throws {
    let written = try JSONValue(encoding: number)
    #expect(written.description == json)
    let read = try JSONValue(parsing: written.canonicalBytes()).decode(Double.self)
    #expect(read.bitPattern == number.bitPattern)
  }

  @Test("has integers beyond ±2^53 as strings of their digits, and no others")
  func integers() throws {
    for integer in [Int64.min, -(1 << 53) - 1, (1 << 53) + 1, .max] {
      #expect(try JSONValue(encoding: integer) == .string("\(integer)"))
      #expect(try JSONValue.string("\(integer)").decode(Int64.self) == integer)
    }
    #expect(try JSONValue(encoding: 1 << 53) == .integer(1 << 53))
    for wrong: JSONValue in ["1", "+9223372036854775807", "09223372036854775807", "nan", ""] {
      #expect(throws: JSONShapeError.self) { try wrong.decode(Int.self) }
      #expect(throws: JSONShapeError.self) { try wrong.decode(Double.self) }
    }
    #expect(try JSONValue.number(3).decode(UInt8.self) == 3)
  }

  @Test(
    "is refused with the place of the fault",
    arguments: [
      (["tags": 1], "/tags", "expected an array, found 1"),
      (["tags": ["a", nil]], "/tags/1", "expected a string, found null"),
      (["small": 128], "/small", "expected an integer of -128...127, found 128"),
      (["small": 0.5], "/small", "expected an integer of -128...127, found 0.5"),
      (["unsigned": -1], "/unsigned", "expected an integer of 0...18446744073709551615, found -1"),
      (["colour": "green"], "/colour", #""green" is none of the choices"#),
      (
        ["shape": ["none": nil, "circle": ["radius": 1]]], "/shape/circle/at",
        "the member is missing"
      ),
      (["byPoint": [["x": 1, "y/~": 0], "b"]], "/byPoint/0/y", "the member is missing"),
      (["path": [[1]]], "/path/0", "the point has no y"), (["text": nil], "/text", ""),
    ] as [(JSONValue, String, String)])
  func refusals(change: JSONValue, place: String, message: String) throws {
    let json = try JSONValue(encoding: Sample()).mergePatched(with: change)
    let error = try #require(throws: JSONShapeError.self) { try json.decode(Sample.self) }
    #expect(error.pointer.description == place)
    #expect(message.isEmpty || error.message == message)
    let within = JSONReader(json, pointer: JSONPointer(tokens: ["a", "b"]))
    let inner = try #require(throws: JSONShapeError.self) { try within.decode(Sample.self) }
    #expect(inner.pointer.description == "/a/b" + place)
  }

  @Test("is recorded with every number, finite or not, and read again from the record alone")
  func recordedNumbers() throws {
    let numbers = [Double.infinity, -.infinity, 0, -0.0, 0.5, 0x1p60, .greatestFiniteMagnitude]
    let json = try JSONValue(recording: numbers)
    #expect(json.description.hasPrefix(#"["inf","-inf",0,"-0",0.5,"#))
    #expect(try json.decodeRecord([Double].self).map(\.bitPattern) == numbers.map(\.bitPattern))
    #expect(throws: JSONShapeError.self) { try json.decode([Double].self) }
    let nan = try JSONValue(recording: ["a": [Float.nan]])
    #expect(try nan.decodeRecord([Text: [Float]].self)["a"]?.first?.isNaN == true)
    // Only what a record has.
    for text in ["Inf", "infinity", "1", "0x1p3", ""] {
      let json = JSONValue.string(Text(text))
      #expect(throws: JSONShapeError.self) { try json.decodeRecord(Double.self) }
    }
  }

  @Test("is not written with a number that is not finite")
  func notFinite() throws {
    for number in [Double.nan, .infinity, -.infinity] {
      let inArray = try #require(throws: JSONShapeError.self) {
        try JSONValue(encoding: ["a": [0, number]])
      }
      #expect(inArray.pointer.description == "/a/1")
      let asMember = try #require(throws: JSONShapeError.self) {
        try JSONValue(encoding: [Point(x: 0, y: number)])
      }
      #expect(asMember.pointer.description == "/0/y")
      #expect(throws: JSONShapeError.self) { try JSONValue(encoding: Float(number)) }
    }
  }

  @Test("may nest 512 levels, and ends in an error beyond")
  func depth() throws {
    func nested(_ depth: Int) -> Nested {
      depth == 0 ? Nested() : Nested(inner: [nested(depth - 1)])
    }
    func json(_ depth: Int) -> JSONValue { depth == 0 ? [:] : ["inner": [json(depth - 1)]] }
    #expect(try JSONValue(encoding: nested(255)) == json(255))
    #expect(try json(255).decode(Nested.self) == nested(255))
    #expect(throws: JSONShapeError.self) { try JSONValue(encoding: nested(256)) }
    #expect(throws: JSONShapeError.self) { try json(256).decode(Nested.self) }
    #expect(throws: JSONShapeError.self) { try json(1_000).decode(Nested.self) }
  }

  @Test("nests no deeper with a JSON value in it, so that the parser can read it again")
  func depthOfJSON() throws {
    func json(_ depth: Int) -> JSONValue { (1..<depth).reduce([]) { json, _ in [json] } }
    let deepest = try JSONValue(encoding: ["a": json(511)])
    #expect(deepest == ["a": json(511)])
    #expect(try JSONValue(parsing: deepest.canonicalBytes(), limits: .greatest) == deepest)
    let error = try #require(throws: JSONShapeError.self) {
      try JSONValue(encoding: ["a": json(512)])
    }
    #expect("\(error)" == "nests deeper than 512 levels (/a)")
  }

  @Test("may be a class with a superclass, and write through nested containers")
  func containers() throws {
    let json = try JSONValue(encoding: Derived(name: "n", count: 3))
    #expect(
      json == ["nested": ["list": [nil, ["count": 3], [true]]], "super": ["name": "n"]])
    let copy = try json.decode(Derived.self)
    #expect(copy.name == "n" && copy.count == 3)
  }

  @Test("that writes itself as two things at once is refused")
  func mixed() throws {
    for kinds in [[0, 1], [1, 2], [2, 2], [2, 0]] {
      #expect(throws: JSONShapeError.self) { try JSONValue(encoding: ["a": Mixed(kinds: kinds)]) }
    }
    #expect(try JSONValue(encoding: Mixed(kinds: [0, 0])) == [:])
    #expect(try JSONValue(encoding: Mixed(kinds: [])) == [:])
  }

  @Test("never ends the process, whatever is read")
  func fuzz() throws {
    try withSeeds(500) { random in
      let json = random.json(depth: 4)
      _ = try? json.decode(Sample.self)
      _ = try? json.decode(Derived.self)
      _ = try? json.decode([Point: [Text: UInt8]].self)
      var sample = try JSONValue(encoding: random.sample())
      for _ in 0..<3 { sample = sample.spoilt(&random) }
      _ = try? sample.decode(Sample.self)
    }
  }
}

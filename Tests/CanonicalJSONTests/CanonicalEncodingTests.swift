import CanonicalJSON
import TestSupport
import Testing

/// The canonical encoding of values.
@Suite struct CanonicalEncodingTests {
  /// RFC 8785, appendix B, without the cases for NaN and infinity, and some further numbers.
  static let numbers: [(UInt64, String)] = [
    (0x0000_0000_0000_0000, "0"),
    (0x8000_0000_0000_0000, "0"),
    (0x0000_0000_0000_0001, "5e-324"),
    (0x8000_0000_0000_0001, "-5e-324"),
    (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
    (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"),
    (0x4340_0000_0000_0000, "9007199254740992"),
    (0xC340_0000_0000_0000, "-9007199254740992"),
    (0x4430_0000_0000_0000, "295147905179352830000"),
    (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"),
    (0x44B5_2D02_C7E1_4AF6, "1e+23"),
    (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"),
    (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
    (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"),
    (0x444B_1AE4_D6E2_EF50, "1e+21"),
    (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"),
    (0x3EB0_C6F7_A0B5_ED8D, "0.000001"),
    (0x41B3_DE43_5555_5553, "333333333.3333332"),
    (0x41B3_DE43_5555_5554, "333333333.33333325"),
    (0x41B3_DE43_5555_5555, "333333333.3333333"),
    (0x41B3_DE43_5555_5556, "333333333.3333334"),
    (0x41B3_DE43_5555_5557, "333333333.33333343"),
    (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
    (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
    (0x3FF8_0000_0000_0000, "1.5"),
    (0x3F50_624D_D2F1_A9FC, "0.001"),
    (0x4059_0000_0000_0000, "100"),
  ]

  @Test(arguments: numbers)
  func `a double is written as ECMAScript writes it`(_ bits: UInt64, _ text: String) {
    #expect(JSONValue.number(Double(bitPattern: bits)).description == text)
  }

  @Test func `a character is escaped wherever it stands in a text, and no other is`() {
    for length in 1...17 {
      for position in 0..<length {
        for scalar in (0x00...0xFF).compactMap(Unicode.Scalar.init) + ["€", "😀", "\u{2028}"] {
          var scalars = [Unicode.Scalar](repeating: "é", count: length)
          scalars[position] = scalar
          let short =
            ["\u{8}": "b", "\t": "t", "\n": "n", "\u{C}": "f", "\r": "r"]
            as [Unicode.Scalar: String]
          let written =
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case _ where scalar.value < 0x20:
              "\\"
                + (short[scalar]
                  ?? "u00\(scalar.value < 16 ? "0" : "1")\(String(scalar.value % 16, radix: 16))")
            default: String(scalar)
            }
          let rest = String(repeating: "é", count: length - 1 - position)
          let expected = "\"" + String(repeating: "é", count: position) + written + rest + "\""
          let text = scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
          if JSONValue.string(Text(text)).description != expected {
            Issue.record("U+\(String(scalar.value, radix: 16)) at \(position) of \(length)")
          }
        }
      }
    }
  }

  @Test(.enabled(if: Program.exists("node")))
  func `any double is written as JSON.stringify writes it`() throws {
    let script = """
      const view = new DataView(new ArrayBuffer(8));
      const text = (bits) => {
        view.setBigUint64(0, BigInt(bits));
        return JSON.stringify(view.getFloat64(0));
      };
      const input = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
      console.log(JSON.stringify(input.map(text)));
      """
    try withSeeds(1) { random in
      var doubles = [0, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude]
      doubles +=
        (-324...308).compactMap { Double("1e\($0)") }
        + (0...1_023).map { Double(sign: .plus, exponent: $0, significand: 1) }
      doubles += doubles.flatMap { [$0.nextDown, $0.nextUp, -$0] }
      while doubles.count < 10_000 {
        doubles.append(random.double())
        doubles.append(Double(bitPattern: random.next() >> 12))
        doubles.append(Double(random.number(in: -10_000...10_000)) / 1_000)
      }
      doubles.removeAll { !$0.isFinite }
      let bits = doubles.map { JSONValue.string("0x" + String($0.bitPattern, radix: 16)) }
      let output = try JSONValue(
        parsing: try Program.run(
          "node", ["-e", script], input: JSONValue.array(bits).canonicalBytes()))
      guard case .array(let texts) = output else { throw LawViolation("node wrote \(output)") }
      try require(texts.count == doubles.count, "node wrote \(texts.count) numbers")
      for (double, text) in zip(doubles, texts) {
        let written = JSONValue.number(double).description
        try require(.string(written) == text, "\(double) is written \(written), not \(text)")
      }
    }
  }

  @Test func `the estimated memory of small values is at least what they take`() {
    let count = 1_000
    let (value, text) = (MemoryLayout<JSONValue>.stride, MemoryLayout<Text>.stride)
    // An array or a text that is not empty begins with two words of the runtime, its length and its capacity.
    let header = 32
    let numbers = [JSONValue](repeating: 0, count: count)
    let members = Dictionary(
      uniqueKeysWithValues: (0..<count).map { (Text("\($0)"), JSONValue.null) })
    let name = String(repeating: "n", count: 16)
    for (json, bytes) in [
      (.array(numbers), count * value),
      (.array(numbers.map { [$0] }), count * (2 * value + header)),
      // At least a quarter of a table is vacant.
      (.object(members), count * (value + text) * 4 / 3),
      (.array(numbers.map { _ in .string(name) }), count * (value + header + 16)),
    ] as [(JSONValue, Int)] {
      let estimate = json.memoryByteCount
      #expect(bytes <= estimate && estimate <= 3 * bytes, "\(estimate) for \(bytes)")
    }
  }

  @Test func `members are sorted by the bytes of their names`() {
    let value: JSONValue = [
      "z": 1, "a": [true, nil], "é": 2, "Z": 3, "aa": 4, "": 5, "\u{FF5E}": 6, "😀": 7,
      "e\u{301}x": 8,
    ]
    #expect(
      value.description
        == "{\"\":5,\"Z\":3,\"a\":[true,null],\"aa\":4,\"e\u{301}x\":8,\"z\":1,\"é\":2,"
        + "\"\u{FF5E}\":6,\"😀\":7}")
  }

  @Test func `values are equal exactly if their encodings are`() {
    #expect(JSONValue.integer(1) == .number(1))
    #expect(JSONValue.integer(1).hashValue == JSONValue.number(1).hashValue)
    #expect(JSONValue.integer(.min) == .number(-0x1p63))
    #expect(JSONValue.integer(0) == .number(-0.0))
    #expect(JSONValue.integer(1) != .number(1.5))
    #expect(JSONValue.integer(1) != true)
    #expect(JSONValue.string("é") != .string("e\u{301}"))
    #expect(JSONValue.object(["é": 1]) != .object(["e\u{301}": 1]))
    #expect(JSONValue.object(["a": nil]) != .object([:]))
    #expect(JSONValue.object(["a": nil]) != .object(["b": nil]))
  }

  @Test func `a document can be put together from encoded pieces`() {
    var writer = JSONWriter(capacity: 64)
    writer.raw("{")
    writer.name("rows")
    writer.raw(UInt8(ascii: "["))
    var isFirst = true
    for row in [JSONValue(integerLiteral: 1), "b"] {
      writer.separate(&isFirst)
      writer.raw(row.canonicalBytes())
    }
    writer.raw("],\"ok\":")
    writer.bool(true)
    writer.raw("}")
    #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"rows":[1,"b"],"ok":true}"#)
  }

  @Test func `a document is the same whether it fits the expected size or not`() {
    let document: JSONValue = ["list": [1, 2.5, nil, true], "text": "a \"longer\" text"]
    let encoded = document.canonicalBytes()
    for capacity in 1...2 * encoded.count {
      #expect(JSONWriter.bytes(capacity: capacity) { $0.value(document) } == encoded)
    }
  }

  @Test func `numbers that JSON cannot carry are a programmer's error`() async {
    await #expect(processExitsWith: .failure) { _ = JSONValue.number(.nan).canonicalBytes() }
    await #expect(processExitsWith: .failure) { _ = JSONValue.number(.infinity).canonicalBytes() }
    await #expect(processExitsWith: .failure) {
      _ = JSONValue.integer(1 << 53 + 1).canonicalBytes()
    }
  }
}

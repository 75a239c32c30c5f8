import CanonicalJSON
import Testing

/// RFC 7396, appendix A, and the example of its section 3.
@Suite struct MergePatchTests {
  static let cases: [(String, String, String)] = [
    (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
    (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
    (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#),
    (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
    (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
    (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
    (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
    (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
    (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
    (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
    (#"{"a":"foo"}"#, #"null"#, #"null"#),
    (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
    (#"{"e":null}"#, #"{"a":1}"#, #"{"a":1,"e":null}"#),
    (#"[1,2]"#, #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
    (#"{}"#, #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    (
      #"{"title":"Goodbye!","author":{"givenName":"John","familyName":"Doe"},"tags":["example"]}"#,
      #"{"title":"Hello!","phoneNumber":"+01","author":{"familyName":null},"tags":["sample"]}"#,
      #"{"author":{"givenName":"John"},"phoneNumber":"+01","tags":["sample"],"title":"Hello!"}"#
    ),
  ]

  /// Names that are canonically equivalent name different members.
  static let equivalentNames: [(String, String, String)] = [
    ("{\"é\":1}", "{\"e\u{301}\":2}", "{\"e\u{301}\":2,\"é\":1}"),
    ("{\"é\":1}", "{\"e\u{301}\":null}", "{\"é\":1}"),
    ("{\"é\":1}", "{\"e\u{301}\":1,\"é\":null}", "{\"e\u{301}\":1}"),
    ("{\"K\":{\"a\":1}}", "{\"\u{212A}\":{\"b\":2}}", "{\"K\":{\"a\":1},\"\u{212A}\":{\"b\":2}}"),
    ("{\"a\":\";\"}", "{\"a\":\"\u{37E}\"}", "{\"a\":\"\u{37E}\"}"),
  ]

  @Test(arguments: cases + equivalentNames)
  func `a merge patch does what the RFC's example says`(
    _ original: String, _ patch: String, _ result: String
  ) throws {
    let patched = try JSONValue(parsing: original.utf8).mergePatched(
      with: JSONValue(parsing: patch.utf8))
    #expect(patched.canonicalBytes() == Array(result.utf8))
  }
}

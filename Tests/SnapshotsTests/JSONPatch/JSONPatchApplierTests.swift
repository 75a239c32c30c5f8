import CanonicalJSON
import TestSupport
import Testing

/// The applier of the tests passes the examples of RFC 6902, Appendix A.
@Suite struct JSONPatchApplierTests {
  @Test(arguments: [
    (
      #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#,
      #"{"baz":"qux","foo":"bar"}"#
    ),
    (
      #"{"foo":["bar","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#,
      #"{"foo":["bar","qux","baz"]}"#
    ),
    (#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
    (
      #"{"foo":["bar","qux","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#,
      #"{"foo":["bar","baz"]}"#
    ),
    (
      #"{"foo":["all","grass","cows","eat"]}"#,
      #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
      #"{"foo":["all","cows","eat","grass"]}"#
    ),
    (#"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10}]"#, #"{"/":9,"~1":10}"#),
    (#"{"foo":1}"#, #"[{"op":"replace","path":"","value":null}]"#, "null"),
    (#"{"foo":null}"#, #"[{"op":"add","path":"/foo","value":1}]"#, #"{"foo":1}"#),
  ])
  func `a patch that the RFC allows is applied`(document: String, patch: String, result: String)
    throws
  {
    #expect(try Self.apply(patch, to: document).description == result)
  }

  @Test(arguments: [
    (#"{"baz":"qux"}"#, #"[{"op":"test","path":"/baz","value":"bar"}]"#),
    (#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz/bat","value":"qux"}]"#),
    (#"{"foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#),
    (#"{"foo":"bar"}"#, #"[{"op":"replace","path":"/baz","value":1}]"#),
    (#"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":"10"}]"#),
    (#"["a"]"#, #"[{"op":"add","path":"/2","value":1}]"#),
    (#"["a"]"#, #"[{"op":"remove","path":"/1"}]"#),
    (#"["a"]"#, #"[{"op":"remove","path":"/00"}]"#),
    (#"["a"]"#, #"[{"op":"move","from":"/0","path":"/1"}]"#),
    (#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a","path":"/a/b"}]"#),
    (#"{"a":1}"#, #"[{"op":"add","path":"b","value":1}]"#),
    (#"{"a":1}"#, #"[{"op":"add","path":"/b"}]"#),
    (#"{"a":1}"#, #"[{"op":"set","path":"/b","value":1}]"#),
  ])
  func `a patch that the RFC calls an error is refused`(document: String, patch: String) {
    #expect(throws: LawViolation.self) { try Self.apply(patch, to: document) }
  }

  private static func apply(_ patch: String, to document: String) throws -> JSONValue {
    try PatchApplier.apply(
      JSONValue(parsing: patch.utf8), to: JSONValue(parsing: document.utf8))
  }
}

import Foundation
import Testing

/// The compiler does not know which text a client can write, so the sources are read: a `String` in
/// what a screen or a store keeps would be compared by canonical equivalence again.
@Suite("What screens and their stores keep")
struct StoredTextTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
  private static let folders = ["Forms", "Screens", "ViewState/Resources"]
  /// Endpoints keep paths, which the program itself writes, and the readers of feeds keep nothing.
  private static let others = [
    "Endpoints.swift", "FeedFault.swift", "FeedTransfer.swift", "RSSReader.swift",
  ]

  /// A stored property or the payload of a case that is a `String` or holds some; a property that is
  /// computed has a brace on its line.
  private static var declaration: Regex<(Substring, Substring)> {
    /(?m)^ *((?:[a-z]+(?:\(set\))? )*(?:(?:let|var) \w+: [^={\n]*\bString\b[^{\n]*|case \w+\([^)\n]*\bString\b[^\n]*))$/
  }

  @Test("is text that is compared by its bytes")
  func properties() throws {
    let files = try Self.folders.flatMap { folder in
      try FileManager.default.subpathsOfDirectory(
        atPath: Self.sources.appending(path: folder).path
      ).map { "\(folder)/\($0)" }
    }
    var count = 0
    var found: Set<String> = []
    for file in files
    where file.hasSuffix(".swift") && !Self.others.contains(where: file.hasSuffix) {
      let text = try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8)
      let name = URL(filePath: file).lastPathComponent
      found.formUnion(text.matches(of: Self.declaration).map { "\(name): \($0.output.1)" })
      count += 1
    }
    #expect(count > 50)
    #expect(found == [])
  }

  @Test(
    "is found where it is a String",
    arguments: [
      "  public let name: String", "  var title: String?",
      "  private(set) var names: [String] = []",
      "  public internal(set) var byID: [ResourceID: String]",
      "  case rename(ResourceID, to: String)",
    ])
  func finding(line: String) {
    #expect(!line.matches(of: Self.declaration).isEmpty)
  }

  @Test(
    "is not mixed up with what is computed",
    arguments: ["  var name: String { \"a\" }", "  let name: Text"])
  func passing(line: String) {
    #expect(line.matches(of: Self.declaration).isEmpty)
  }
}

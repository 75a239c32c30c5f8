import Foundation
import Testing

/// A page of the documentation.
struct Page {
  /// The code in its Swift blocks.
  let blocks: [String]

  init(_ name: String) throws {
    let page = try Self.text("Sources/ViewDelta/ViewDelta.docc/\(name).md")
    blocks = page.components(separatedBy: "```swift\n").dropFirst().map { part in
      part.components(separatedBy: "\n```")[0]
    }
  }

  private static let root = URL(filePath: #filePath).appending(path: "../../../..")
    .standardizedFileURL

  /// The lines of code in the documentation of the declarations of a file: those of the block with a marker, without
  /// the spaces around them.
  static func comment(in path: String, with marker: String) throws -> [String] {
    let lines = try text(path).split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
    let comments = lines.filter { $0.hasPrefix("///") }.map {
      String($0.dropFirst(3)).trimmingCharacters(in: .whitespaces)
    }
    let blocks = comments.joined(separator: "\n").components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "\n```")[0] }
    return try #require(blocks.first { $0.contains(marker) }).components(separatedBy: "\n")
  }

  /// A file of the repository.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }
}

@Suite("The pages of the documentation")
struct PageTests {
  @Test("on loading and saving show code of the package that is built on ViewDelta")
  func loadAndSave() throws {
    let package = "Tests/Packages/Todo"
    let files = try [
      "Package.swift", "Sources/Todo/main.swift", "Sources/TodoScreens/TodoList.swift",
      "Sources/TodoScreens/TodoFeature.swift", "Sources/TodoScreens/TodoFile.swift",
      "Tests/TodoTests/TodoListTests.swift",
    ].map { try Page.text("\(package)/\($0)") }
    let blocks = try Page("LoadAndSave").blocks
    #expect(blocks.count == 16)
    for block in blocks {
      #expect(files.contains { $0.contains(block) }, "no file has \(block)")
    }
  }

  @Test("on showing a collection show the code of a feature of the tests")
  func showACollection() throws {
    let files = try ["NotesFeature", "WriteAScreen/HotelFeature"].map {
      try Page.text("Tests/ViewDeltaServerTests/\($0).swift")
    }
    let blocks = try Page("ShowACollection").blocks
    #expect(blocks.count == 7)
    for block in blocks {
      #expect(files.contains { $0.contains(block) }, "no feature has \(block)")
    }
  }
}

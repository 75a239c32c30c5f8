import Foundation
import Testing

@testable import ViewDeltaClient

@Suite("A transport of an app")
struct TransportTests {
  @Test("is the file that the documentation shows, which imports nothing but the client")
  func documented() throws {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    let file = try String(
      contentsOf: root.appending(path: "Tests/ViewDeltaClientTests/SignedIn.swift"), encoding: .utf8
    )
    let source = try String(
      contentsOf: root.appending(path: "Sources/ViewDeltaClient/HTTPTransport.swift"),
      encoding: .utf8)
    let comment = file.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map { $0.isEmpty ? "///" : "///     \($0)" }.joined(separator: "\n")
    #expect(source.contains(comment))
  }
}

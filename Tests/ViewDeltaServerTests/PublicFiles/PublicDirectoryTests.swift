import Foundation
import Glibc
import MicroHTTP
import TestSupport
import Testing

@testable import ViewDeltaServer

@Suite("A directory of public files")
struct PublicDirectoryTests {
  @Test("is read without following links, waiting for a FIFO, or taking what cannot be routed")
  func specialFiles() throws {
    let directory = try TemporaryDirectory()
    try directory.write("secret", to: "secret.txt")
    try directory.write("page", to: "Public/index.html")
    try directory.write("private", to: "Public/.env")
    try directory.write("braces", to: "Public/{name}.js")
    let links = ["file": "../secret.txt", "tree": "..", "loop": "loop", "self": "index.html"]
    for (name, target) in links {
      #expect(symlink(target, directory.path(of: "Public/" + name)) == 0)
    }
    #expect(mkfifo(directory.path(of: "Public/pipe"), 0o644) == 0)
    let files = try PublicFiles(directory: directory.path(of: "Public"))
    #expect(files.paths == ["/index.html", "/"])
    #expect(
      files.skipped.map(\.path) == ["file", "loop", "pipe", "self", "tree", "{name}.js"])
    #expect(
      files.skipped.map(\.reason) == [
        .symbolicLink, .symbolicLink, .specialFile, .symbolicLink, .symbolicLink, .unroutable,
      ])
  }

  @Test("may itself be a link, and empty")
  func linkedDirectory() throws {
    let directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: directory.path(of: "files"), withIntermediateDirectories: true)
    #expect(symlink("files", directory.path(of: "Public")) == 0)
    #expect(try PublicFiles(directory: directory.path(of: "Public")).paths == [])
  }

  @Test("is refused where it is none")
  func unreadable() throws {
    let directory = try TemporaryDirectory()
    try directory.write("file", to: "file")
    #expect(throws: PublicFilesError.unreadable(reason: "the directory does not exist")) {
      try PublicFiles(directory: directory.path(of: "nothing"))
    }
    #expect(throws: PublicFilesError.unreadable(reason: "it is not a directory")) {
      try PublicFiles(directory: directory.path(of: "file"))
    }
  }

  @Test("is refused beyond a limit, and taken at it")
  func limits() throws {
    let directory = try TemporaryDirectory()
    try directory.write("12345", to: "a.txt")
    try directory.write("123", to: "one/two/b.txt")
    var limits = DirectoryReader.Limits()
    (limits.byteCount, limits.entryCount, limits.depth) = (8, 4, 3)
    var reader = try DirectoryReader(directory.path, limits: limits)
    try reader.readAll()
    #expect(reader.files.count == 2)
    func expect(_ path: String, _ change: (inout DirectoryReader.Limits) -> Void) {
      var smaller = limits
      change(&smaller)
      let error = #expect(throws: PublicFilesError.self) {
        var reader = try DirectoryReader(directory.path, limits: smaller)
        try reader.readAll()
      }
      guard case .unacceptable(path, _) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
    expect("") { $0.byteCount = 7 }
    expect("") { $0.entryCount = 3 }
    expect("one/two/") { $0.depth = 2 }
  }

  @Test(
    "is refused where a name at its top belongs to the API",
    arguments: ["v1/users/1", "openapi.json", "healthz", "readyz", "metrics"])
  func reservedNames(name: String) throws {
    let directory = try TemporaryDirectory()
    try directory.write("mine", to: name)
    let top = String(name.prefix { $0 != "/" })
    #expect(
      throws: PublicFilesError.unacceptable(path: top, reason: "this name is reserved for the API")
    ) { try PublicFiles(directory: directory.path) }
  }

  @Test("can have no name that a route of the API begins with")
  func reservesAllRoutes() async throws {
    let router = try OpenAPIDocument.application.router
    for name in Set(router.routes.compactMap { $0.pattern.split(separator: "/").first }) {
      let directory = try TemporaryDirectory()
      try directory.write("mine", to: String(name))
      #expect(throws: PublicFilesError.self) { try PublicFiles(directory: directory.path) }
    }
  }
}

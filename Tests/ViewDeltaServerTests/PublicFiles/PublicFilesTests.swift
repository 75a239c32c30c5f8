import HTTPTypes
import TestSupport
import Testing
import ViewDeltaServer
import ViewState

@Suite("Public files")
struct PublicFilesTests {
  /// A server with the files of a directory.
  static func backend(_ directory: TemporaryDirectory) throws -> Backend {
    let files = try PublicFiles(directory: directory.path)
    return try Backend { $0.configuration.publicFiles = files }
  }

  static let page = "<!doctype html><title>Page</title>" + String(repeating: "<p>", count: 1_000)

  @Test("are served at their paths, and an index also at the path of its directory")
  func paths() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(Self.page, to: "index.html")
    try directory.write("export {}", to: "page/rows/post.js")
    try directory.write("<title>Docs</title>", to: "docs/index.html")
    try directory.write("Grüße", to: "page/a name é.txt")
    let backend = try Self.backend(directory)
    for target in ["/", "/index.html", "/?screen=1"] {
      let answer = await backend.get(target)
      #expect(answer.status == 200)
      #expect(answer.text == Self.page)
    }
    #expect(await backend.get("/page/rows/post.js").text == "export {}")
    #expect(await backend.get("/docs/").text == "<title>Docs</title>")
    #expect(await backend.get("/page/a%20name%20%C3%A9.txt").text == "Grüße")
  }

  @Test("may have names that begin with an accent, which Swift adds to the slash before it")
  func accents() async throws {
    let directory = try TemporaryDirectory()
    for name in ["\u{301}.txt", "page/\u{301}.txt"] { try directory.write(name, to: name) }
    let backend = try Self.backend(directory)
    #expect(await backend.get("/%CC%81.txt").text == "\u{301}.txt")
    #expect(await backend.get("/page/%CC%81.txt").text == "page/\u{301}.txt")
  }

  /// Names of files, and their types.
  private static let typesByName = [
    ("index.html", "text/html; charset=utf-8"), ("page.JS", "text/javascript; charset=utf-8"),
    ("page.css", "text/css; charset=utf-8"), ("icon.svg", "image/svg+xml"),
    ("data.json", "application/json"), ("font.woff2", "font/woff2"),
    ("photo.png", "image/png"), ("archive.tar.zst", "application/octet-stream"),
    ("LICENSE", "application/octet-stream"), ("html", "application/octet-stream"),
  ]

  /// One for all cases, because the files are read at the start.
  private static let typed = Result {
    let directory = try TemporaryDirectory()
    for (name, _) in typesByName { try directory.write("content", to: name) }
    return try backend(directory)
  }

  @Test("have the type that their name says", arguments: typesByName)
  func types(name: String, type: String) async throws {
    let answer = await (try Self.typed.get()).get("/" + name)
    #expect(answer["Content-Type"] == type)
  }

  @Test("tell browsers to refuse what is not theirs, and caches to ask each time")
  func fields() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(Self.page, to: "index.html")
    let answer = await (try Self.backend(directory)).get("/")
    #expect(
      answer["Content-Security-Policy"]
        == "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        + "img-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'")
    #expect(answer["Referrer-Policy"] == "no-referrer")
    #expect(answer["Cache-Control"] == "no-cache")
    #expect(answer["Vary"] == "Accept-Encoding")
  }

  @Test("let a page show the pictures of the hosts that the operator names, under another tag")
  func imageHosts() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(Self.page, to: "index.html")
    let before = await (try Self.backend(directory)).get("/")
    let hosts = ["pictures.example", "127.0.0.1:8081"].compactMap(WebHost.init)
    let files = try PublicFiles(directory: directory.path, imageHosts: Set(hosts))
    let after = await (try Backend { $0.configuration.publicFiles = files }).get("/")
    #expect(
      after["Content-Security-Policy"]?.contains(
        "; img-src 'self' 127.0.0.1:8081 pictures.example; ") == true)
    #expect(after.body == before.body && after["ETag"] != before["ETag"])
  }

  @Test("are not sent again to a client that has them, until they change")
  func validation() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(Self.page, to: "index.html")
    let backend = try Self.backend(directory)
    let tag = try #require(await backend.get("/")["ETag"])
    #expect(!tag.hasPrefix("W/"))
    let known = await backend.get("/", [.ifNoneMatch: tag])
    #expect(known.status == 304)
    #expect(known.body.isEmpty)
    #expect(known["ETag"] == tag)
    let restarted = try Self.backend(directory)
    #expect(await restarted.get("/", [.ifNoneMatch: tag]).status == 304)
    try directory.write(Self.page + ".", to: "index.html")
    let changed = try Self.backend(directory)
    #expect(await changed.get("/", [.ifNoneMatch: tag]).status == 200)
  }

  @Test("are compressed under a tag of their own where that makes them smaller")
  func compression() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(Self.page, to: "index.html")
    try directory.write(Self.page, to: "photo.png")
    let backend = try Self.backend(directory)
    let plain = await backend.get("/")
    let coded = await backend.get("/", [.acceptEncoding: "gzip, br"])
    #expect(coded["Content-Encoding"] == "gzip")
    #expect(coded.body.count < plain.body.count / 4)
    let tag = try #require(coded["ETag"])
    #expect(tag != plain["ETag"])
    let known = await backend.get("/", [.acceptEncoding: "gzip", .ifNoneMatch: tag])
    #expect(known.status == 304)
    let photo = await backend.get("/photo.png", [.acceptEncoding: "gzip"])
    #expect(photo["Content-Encoding"] == nil)
    #expect(photo["Vary"] == nil)
  }

  @Test("are served whatever a client accepts, because there is nothing else to choose")
  func acceptance() async throws {
    let directory = try TemporaryDirectory()
    try directory.write("a {}", to: "page.css")
    let backend = try Self.backend(directory)
    #expect(await backend.get("/page.css", [.accept: "text/html"]).status == 200)
  }

  /// One backend for all cases, because no case changes anything.
  private static let refusing = Result {
    let directory = try TemporaryDirectory()
    try directory.write("secret", to: "secret.txt")
    for name in ["index.html", "page/main.js", ".hidden", "page/.git/config"] {
      try directory.write("public", to: "Public/" + name)
    }
    let files = try PublicFiles(directory: directory.path(of: "Public"))
    return try Backend { $0.configuration.publicFiles = files }
  }

  @Test(
    "leave every other path the problem that it has without them",
    arguments: [
      (HTTPRequest.Method.get, "/nothing", 404), (.get, "/index.html/", 404),
      (.get, "/page", 404), (.get, "/page/", 404), (.get, "//index.html", 404),
      (.get, "/page/../index.html", 404), (.get, "/%2e%2e/secret.txt", 404),
      (.get, "/..%2fsecret.txt", 404), (.get, "/page%2Fmain.js", 404),
      (.get, "/%2findex.html", 404), (.get, "/.hidden", 404), (.get, "/page/.git/config", 404),
      (.get, "/index.html%00", 400), (.get, "/%zz", 400), (.get, "/%c0%ae%c0%ae/", 400),
      (.post, "/", 405), (.delete, "/page/main.js", 405), (.trace, "/nothing", 405),
      (.put, "/nothing", 404), (.init("BREW")!, "/", 501), (.get, "/v1/nothing", 404),
      (.delete, "/v1/view-models", 405),
    ])
  func others(method: HTTPRequest.Method, target: String, status: Int) async throws {
    let answer = await (try Self.refusing.get()).call(method, target)
    #expect(answer.status == status)
    #expect(answer["Content-Type"] == "application/problem+json")
    if method == .post { #expect(answer["Allow"] == "GET, HEAD, OPTIONS") }
  }
}

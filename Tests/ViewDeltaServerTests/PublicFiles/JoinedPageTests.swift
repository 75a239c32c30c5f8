import Foundation
import HTTPTypes
import TestSupport
import Testing
import ViewDeltaServer

@Suite("A page with joined files")
struct JoinedPageTests {
  /// A page with two style sheets and a module that imports another one.
  private static let files = [
    "index.html": """
    <!doctype html>
    <link rel="stylesheet" href="styles/a.css">
    <link rel="stylesheet" href="styles/b.css">
    <script type="module" src="page/main.js"></script>
    """,
    "styles/a.css": "a { color: red; }/* } */",
    "styles/b.css": "b { background: url(b.svg); }",
    "page/main.js": "import { a } from './a.js';\na();",
    "page/a.js": "export function a() {}",
  ]

  private func files(_ changes: [String: String] = [:]) throws -> PublicFiles {
    let directory = try TemporaryDirectory()
    for (path, text) in Self.files.merging(changes, uniquingKeysWith: { $1 }) {
      try directory.write(text, to: path)
    }
    return try PublicFiles(directory: directory.path)
  }

  private func backend(_ changes: [String: String] = [:]) throws -> Backend {
    let files = try files(changes)
    return try Backend { $0.configuration.publicFiles = files }
  }

  /// The paths of the files that a page names.
  private func names(_ backend: Backend) async -> [String] {
    await backend.get("/").text.matches(of: /(?:href|src)="([^"]+)"/).map { "/" + $0.output.1 }
  }

  @Test("names one script and one style sheet, which browsers keep for ever")
  func joins() async throws {
    let backend = try backend()
    let names = await names(backend)
    #expect(names.count == 2)
    let (sheet, script) = (await backend.get(names[0]), await backend.get(names[1]))
    #expect(sheet.text == "a { color: red; }/**/\nb { background: url(b.svg); }\n")
    #expect(names[0].wholeMatch(of: /\/styles\/joined-[0-9a-f]{24}\.css/) != nil)
    #expect(script.text.contains("function a(){}"))
    #expect(names[1].wholeMatch(of: /\/page\/joined-[0-9a-f]{24}\.js/) != nil)
    for (reply, type) in [(sheet, "text/css"), (script, "text/javascript")] {
      #expect(reply["Content-Type"] == type + "; charset=utf-8")
      #expect(reply["Cache-Control"] == "max-age=31536000, immutable")
      #expect(reply["Content-Security-Policy"] != nil)
    }
    #expect(await backend.get("/index.html").text == backend.get("/").text)
    #expect(await backend.get("/")["Cache-Control"] == "no-cache")
    #expect(await backend.get("/page/a.js").text == "export function a() {}")
  }

  @Test("may name its files from its folder or from the top", arguments: ["./", "/"])
  func addresses(start: String) async throws {
    let page = try #require(Self.files["index.html"])
    let other = page.replacing("src=\"", with: "src=\"\(start)").replacing(
      "href=\"", with: "href=\"\(start)")
    #expect(try await names(backend(["index.html": other])) == names(backend()))
  }

  @Test("is also the one of this repository")
  func page() throws {
    let folder = URL(filePath: #filePath).appending(path: "../../../../Public").standardizedFileURL
    #expect(try PublicFiles(directory: folder.path).unjoined == nil)
  }

  @Test("names another file if a module changes, and is then not what a client has")
  func changes() async throws {
    let before = try backend()
    let after = try backend(["page/a.js": "export function a() { return 1; }"])
    let (old, new) = (await names(before), await names(after))
    #expect(new[0] == old[0] && new[1] != old[1])
    let tag = try #require(await before.get("/")["ETag"])
    #expect(await after.get("/", [.ifNoneMatch: tag]).status == 200)
    #expect(await after.get(old[1]).status == 404)
  }

  @Test("has a script for each module that it names, which can be loaded on its own")
  func several() async throws {
    let page = try #require(Self.files["index.html"])
    let ahead = "<script type=\"module\" async src=\"page/ahead.js\"></script>"
    let backend = try backend(["index.html": ahead + page, "page/ahead.js": "ahead();"])
    let names = await names(backend)
    #expect(await backend.get("/").text.contains("async src=\"\(names[0].dropFirst())\""))
    #expect(await backend.get(names[0]).text.contains("ahead();"))
    #expect(await backend.get(names[2]).text.contains("function a(){}"))
  }

  @Test("has another script for what a module imports by calls, with the name of the first")
  func later() async throws {
    func scripts(later: String) async throws -> [String] {
      let call = "import { a } from './a.js';\nexport const b = () => import('./later.js');"
      let backend = try backend(["page/main.js": call, "page/later.js": later])
      let first = await names(backend)[1]
      let second = first.replacing(".js", with: "-later.js")
      for name in [first, second] {
        let reply = await backend.get(name)
        #expect(reply.status == 200)
        #expect(reply["Cache-Control"] == "max-age=31536000, immutable")
      }
      #expect(await backend.get(first).text.contains("import(`.\(second.dropFirst(5))"))
      #expect(await backend.get(second).text.contains("from \".\(first.dropFirst(5))\""))
      return [first, second]
    }
    #expect(try await scripts(later: "b();") != scripts(later: "c();"))
  }

  @Test("has the joined script compressed, whole or unchanged, like any file")
  func transfer() async throws {
    let comment = "const text = \"" + String(repeating: "text ", count: 1_000) + "\";"
    let backend = try backend(["page/a.js": "export function a() {}" + comment])
    let script = await names(backend)[1]
    let plain = await backend.get(script)
    let coded = await backend.get(script, [.acceptEncoding: "gzip"])
    #expect(coded["Content-Encoding"] == "gzip" && coded.body.count < plain.body.count / 4)
    let tag = try #require(plain["ETag"])
    #expect(await backend.get(script, [.ifNoneMatch: tag]).status == 304)
    #expect(await backend.call(.post, script).status == 405)
  }

  @Test(
    "is served as it is, and says why, if joining could change it",
    arguments: [
      ("index.html", "<base href='/a/'>", "the page has an address of its own for its files"),
      (
        "index.html", "<SCRIPT src='page/a.js'></SCRIPT>",
        "the page has a script that is not a module in a file; browsers run no inline script"
      ),
      (
        "index.html", "<script type=\"module\" src=\"page/a.js\"></script>",
        "the scripts of the page share a module"
      ),
      ("page/a.js", "var b;", "page/a.js: line 1 has var, which other modules would see"),
      ("styles/b.css", "@import 'c.css';", "styles/b.css: has a rule that must come first"),
      ("styles/b.css", "@import'c.css'screen;", "styles/b.css: has a rule that must come first"),
      ("styles/b.css", "@import/**/url(c.css);", "styles/b.css: has a rule that must come first"),
      ("styles/b.css", "b { content: '}'; ", "styles/b.css: ends within a rule"),
      ("styles/b.css", "b {} 'b'", "styles/b.css: ends within a rule"),
      ("styles/b.css", "b { content: '}\n'; }", "styles/b.css: closes what is not open"),
      ("styles/b.css", "b { content: '}\r\n'; }", "styles/b.css: closes what is not open"),
      ("styles/b.css", "b { color: rgb(1, }", "styles/b.css: closes what is not open"),
      ("styles/b.css", "@layer a", "styles/b.css: ends within a rule"),
      ("styles/b.css", "/* }", "styles/b.css: closes what is not open"),
      ("styles/b.css", "/*;", "styles/b.css: ends within a rule"),
      ("styles/b.css", "/*\u{301};", "styles/b.css: ends within a rule"),
    ])
  func refusals(path: String, addition: String, reason: String) async throws {
    let text = try #require(Self.files[path]) + addition
    #expect(try files([path: text]).unjoined == reason)
    #expect(await names(try backend([path: text])).prefix(2) == ["/styles/a.css", "/styles/b.css"])
  }

  @Test("has style sheets joined that stand side by side, in one folder, and once each")
  func links() async throws {
    func page(_ paths: String..., between: String = "") -> [String: String] {
      let links = paths.map { "<link rel=\"stylesheet\" href=\"\($0)\">" }
      return ["index.html": links.joined(separator: between), "c.css": "c {} /* } */"]
    }
    let apart = page("c.css", "styles/a.css", between: "<title>a</title>")
    let sheets = await names(try backend(apart))
    #expect(sheets.count == 2 && sheets[0].hasPrefix("/joined-") && sheets[1] == "/styles/a.css")
    for (paths, reason) in [
      (page("c.css", "c.css"), "a style sheet is named twice"),
      (page("c.css", "styles/a.css"), "the style sheets are in several folders"),
      (page("d.css"), "d.css: does not exist, or is not plain UTF-8"),
    ] { #expect(try files(paths).unjoined == reason) }
    #expect(try files(["styles/a.css": "\u{FEFF}a {}"]).unjoined?.hasPrefix("styles/a.css") == true)
  }

  @Test("takes no name that a file has")
  func taken() async throws {
    let sheet = await names(try backend())[0].dropFirst()
    #expect(try files([String(sheet): "a {}"]).unjoined == "\(sheet): is there already")
  }
}

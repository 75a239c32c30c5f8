import CanonicalJSON
import Snapshots

/// A page whose modules stand in one script and whose style sheets stand in one file, so that a browser asks
/// for few files and keeps them.
///
/// The files that it joins have names that change with their content. In the page only the references to
/// them change: those of the forms `<script type="module" src="page/main.js"></script>` and
/// `<link rel="stylesheet" href="styles/base.css">`, of which it joins those that stand side by side.
struct JoinedPage {
  /// The path of the page.
  static let path = "index.html"

  /// The joined files.
  private(set) var files: [(path: String, bytes: [UInt8])] = []
  private var page: String
  private let sources: [String: [UInt8]]

  /// The page with its references to the joined files.
  var bytes: [UInt8] { Array(page.utf8) }

  /// Joins what the page at the top of a directory names; returns `nil` if there is no page. No file is joined
  /// twice.
  ///
  /// - Parameter sources: The files of the directory by their paths.
  /// - Throws: ``JoiningError`` if the joined files could differ from the single ones in what they do.
  init?(sources: [String: [UInt8]]) throws(JoiningError) {
    guard let bytes = sources[Self.path] else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw JoiningError("the page is not UTF-8")
    }
    (self.page, self.sources) = (text, sources)
    guard !text.contains(/<base\b/.ignoresCase()) else {
      throw JoiningError("the page has an address of its own for its files")
    }
    try joinModules()
    try joinStyles()
  }

  private mutating func joinModules() throws(JoiningError) {
    guard let script = page.firstMatch(of: /<script type="module" src="([^"]+)"><\/script>/) else {
      return
    }
    // Two scripts share the modules that both import, as two joined ones would not.
    guard page.matches(of: /type\s*=\s*["']?module\b/.ignoresCase()).count == 1 else {
      throw JoiningError("the page has several modules")
    }
    let entry = String(script.output.1)
    let bundle = try ModuleBundle(entry: entry, sources: sources)
    let path = try add(Array(bundle.text.utf8), beside: entry, type: "js")
    page.replaceSubrange(script.output.1.startIndex..<script.output.1.endIndex, with: path)
  }

  private mutating func joinStyles() throws(JoiningError) {
    var joined: Set<String> = []
    for run in page.matches(of: /(?:<link rel="stylesheet" href="[^"]+">\s*)+/).reversed() {
      let names = run.output.matches(of: /href="([^"]+)"/).map { String($0.output.1) }
      var sheet = ""
      for name in names {
        guard Self.directory(of: name) == Self.directory(of: names[0]) else {
          throw JoiningError("\(name): stands in another folder than \(names[0])")
        }
        guard joined.insert(name).inserted else { throw JoiningError("\(name): stands twice") }
        sheet += try style(name) + "\n"
      }
      let path = try add(Array(sheet.utf8), beside: names[0], type: "css")
      page.replaceSubrange(run.range, with: "<link rel=\"stylesheet\" href=\"\(path)\">\n")
    }
  }

  /// Returns the text of a style sheet if it says the same behind others and before them.
  private func style(_ name: String) throws(JoiningError) -> String {
    guard let bytes = sources[name], let text = String(validating: bytes, as: UTF8.self) else {
      throw JoiningError("\(name): is no style sheet here")
    }
    guard !text.contains(/@(?:charset|import|namespace)\b/.ignoresCase()) else {
      throw JoiningError("\(name): has a rule that must come first")
    }
    for (open, close) in [("{", "}"), ("(", ")"), ("[", "]"), ("/*", "*/")] {
      guard text.ranges(of: open).count == text.ranges(of: close).count else {
        throw JoiningError("\(name): has \(open) without \(close)")
      }
    }
    guard text.contains(/(?:[};]|\*\/|^)\s*$/) else {
      throw JoiningError("\(name): ends within a rule")
    }
    return text
  }

  /// Adds a joined file, in the folder of its parts so that their relative addresses remain, and returns its
  /// path.
  private mutating func add(
    _ bytes: [UInt8], beside part: String, type: String
  ) throws(JoiningError) -> String {
    var hash = SHA256()
    hash.update(bytes)
    let digest = hash.finalize().prefix(12).hexadecimal
    let path = "\(Self.directory(of: part))joined-\(digest).\(type)"
    guard sources[path] == nil else { throw JoiningError("\(path): is there already") }
    files.append((path, bytes))
    return path
  }

  /// Returns the folder of a file, with a slash at its end.
  private static func directory(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }
}

import Snapshots

/// Joins the modules of each script of a page, and its style sheets, so that a browser sends few requests.
///
/// The names of the joined files change with their content, so that a browser can keep the files. The page gets
/// their names in place of those in `<script type="module" src="page/main.js"></script>`, which may be `async`,
/// and of the first group of `<link rel="stylesheet" href="styles/base.css">` with nothing in between.
package struct JoinedPage {
  /// The path of the page.
  package static let path = "index.html"

  /// The joined files.
  package private(set) var files: [(path: String, bytes: [UInt8])] = []
  private var page: String
  private let sources: [String: [UInt8]]

  /// The page with its references to the joined files.
  package var bytes: [UInt8] { Array(page.utf8) }

  /// Joins what the page at the top of a directory names; returns `nil` if there is no page.
  ///
  /// - Parameter sources: The files of the directory by their paths.
  /// - Throws: ``JoiningError`` if the joined files could differ from the single ones in what they do.
  package init?(sources: [String: [UInt8]]) throws(JoiningError) {
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
    let form = /<script type="module"( async)? src="([\w.\/\-]+)"><\/script>/
    let scripts = page.matches(of: form)
    guard scripts.count == page.matches(of: /<script\b/.ignoresCase()).count else {
      throw JoiningError(
        "the page has a script that is not a module in a file; browsers run no inline script")
    }
    var paths: [Substring: String] = [:]
    // Each script has modules of its own, which another one would no longer share.
    var parts: Set<String> = []
    for address in scripts.map(\.output.2) {
      let entry = Self.path(of: address)
      let bundle = try ModuleBundle(entry: entry, sources: sources)
      guard parts.isDisjoint(with: bundle.paths) else {
        throw JoiningError("the scripts of the page share a module")
      }
      parts.formUnion(bundle.paths)
      paths[address] = try add(beside: entry, bundle.scripts)
    }
    page.replace(form) { script in
      let (_, attribute, address) = script.output
      return "<script type=\"module\"\(attribute ?? "") src=\"\(paths[address] ?? "")\"></script>"
    }
  }

  private mutating func joinStyles() throws(JoiningError) {
    let form = /(?:<link rel="stylesheet" href="[\w.\/\-]+">\s*)+/
    guard let links = page.firstMatch(of: form) else { return }
    let names = links.output.matches(of: /href="([^"]+)"/).map { Self.path(of: $0.output.1) }
    guard Set(names).count == names.count else {
      throw JoiningError("a style sheet is named twice")
    }
    guard Set(names.map(Self.directory)).count == 1 else {
      throw JoiningError("the style sheets are in several folders")
    }
    var text = ""
    for name in names {
      do { text += try style(name) + "\n" } catch { throw JoiningError("\(name): \(error.reason)") }
    }
    let path = try add(beside: names[0]) { [("\($0).css", text)] }
    page.replaceSubrange(links.range, with: "<link rel=\"stylesheet\" href=\"\(path)\">\n")
  }

  /// Returns the text of a style sheet without its comments if it says the same behind others and before them.
  private func style(_ name: String) throws(JoiningError) -> String {
    guard let bytes = sources[name], let text = String(validating: bytes, as: UTF8.self),
      !bytes.starts(with: "\u{FEFF}".utf8)
    else { throw JoiningError("does not exist, or is not plain UTF-8") }
    // Comments and strings, by code points as in CSS.
    let hidden = /\/\*.*?\*\/|"(?:[^"\\\n\r\f]|\\.)*"|'(?:[^'\\\n\r\f]|\\.)*'/
      .dotMatchesNewlines().matchingSemantics(.unicodeScalar)
    func isComment(_ match: Regex<Substring>.Match) -> Bool { match.output.hasPrefix("/") }
    // A comment separates what stands beside it, as a space does, and a string is a part of a rule.
    let rules = text.replacing(hidden) { isComment($0) ? " " : "?" }
    guard !rules.contains(/@(?:charset|import|namespace)\b/.ignoresCase()) else {
      throw JoiningError("has a rule that must come first")
    }
    // A browser closes at the end of a file what is open there.
    let pairs: [Unicode.Scalar: Unicode.Scalar] = ["{": "}", "(": ")", "[": "]"]
    var open: [Unicode.Scalar] = []
    for character in rules.unicodeScalars {
      if let close = pairs[character] { open.append(close) }
      if pairs.values.contains(character), open.popLast() != character {
        throw JoiningError("closes what is not open")
      }
    }
    guard open.isEmpty, rules.wholeMatch(of: /(?:.*[};])?\s*/.dotMatchesNewlines()) != nil,
      !rules.contains(/["']|\/\*/.matchingSemantics(.unicodeScalar))
    else { throw JoiningError("ends within a rule") }
    return text.replacing(hidden) { isComment($0) ? "/**/" : $0.output }
  }

  /// Adds joined files, in the folder of their parts so that relative addresses remain, and returns the path of
  /// the first one.
  ///
  /// - Parameters:
  ///   - part: The path of one of the parts.
  ///   - contents: Returns the names of the files, which begin with a given text, and what they contain.
  private mutating func add(
    beside part: String, _ contents: (String) -> [(name: String, text: String)]
  ) throws(JoiningError) -> String {
    var hash = SHA256()
    for (_, text) in contents("") { hash.update(Array(text.utf8)) }
    let digest = hash.finalize().prefix(12).hexadecimal
    let added = contents("joined-\(digest)").map { name, text in
      (path: Self.directory(of: part) + name, bytes: Array(text.utf8))
    }
    for (path, _) in added where sources[path] != nil {
      throw JoiningError("\(path): is there already")
    }
    files += added
    return added[0].path
  }

  /// Returns the path of the file that an address in the page names, as in `./a.js`, `/a.js` or `a.js`.
  private static func path(of address: Substring) -> String {
    String(address.trimmingPrefix(/\.?\//))
  }

  /// Returns the folder of a file, with a slash at its end.
  private static func directory(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }
}

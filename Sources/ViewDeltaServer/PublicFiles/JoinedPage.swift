import CanonicalJSON
import Snapshots

/// Joins the modules of a page to one script, and its style sheets to one file, so that a browser sends few
/// requests.
///
/// The names of the joined files change with their content, so that a browser can keep the files. The page gets
/// their names in place of `<script type="module" src="page/main.js"></script>`, and of the first group of
/// `<link rel="stylesheet" href="styles/base.css">` with nothing in between.
struct JoinedPage {
  /// The path of the page.
  static let path = "index.html"

  /// The joined files.
  private(set) var files: [(path: String, bytes: [UInt8])] = []
  private var page: String
  private let sources: [String: [UInt8]]

  /// The page with its references to the joined files.
  var bytes: [UInt8] { Array(page.utf8) }

  /// Joins what the page at the top of a directory names; returns `nil` if there is no page.
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
    let form = /<script type="module" src="([\w.\/\-]+)"><\/script>/
    guard let script = page.firstMatch(of: form) else { return }
    // Another script could import the same modules, which it would no longer share.
    guard page.matches(of: /<script\b/.ignoresCase()).count == 1 else {
      throw JoiningError("the page has several scripts")
    }
    let entry = String(script.output.1)
    let bundle = try ModuleBundle(entry: entry, sources: sources)
    let path = try add(bundle.text, beside: entry, type: "js")
    page.replaceSubrange(
      script.range, with: "<script type=\"module\" src=\"\(path)\"></script>")
  }

  private mutating func joinStyles() throws(JoiningError) {
    let form = /(?:<link rel="stylesheet" href="[\w.\/\-]+">\s*)+/
    guard let links = page.firstMatch(of: form) else { return }
    let names = links.output.matches(of: /href="([^"]+)"/).map { String($0.output.1) }
    guard Set(names).count == names.count else { throw JoiningError("a style sheet stands twice") }
    guard Set(names.map(Self.directory)).count == 1 else {
      throw JoiningError("the style sheets are in several folders")
    }
    var text = ""
    for name in names {
      do { text += try style(name) + "\n" } catch { throw JoiningError("\(name): \(error.reason)") }
    }
    let path = try add(text, beside: names[0], type: "css")
    page.replaceSubrange(links.range, with: "<link rel=\"stylesheet\" href=\"\(path)\">\n")
  }

  /// Returns the text of a style sheet if it says the same behind others and before them.
  private func style(_ name: String) throws(JoiningError) -> String {
    guard let bytes = sources[name], let text = String(validating: bytes, as: UTF8.self),
      !bytes.starts(with: "\u{FEFF}".utf8)
    else { throw JoiningError("does not exist, or is not plain UTF-8") }
    // Comments and strings, by code points as in CSS.
    let hidden = /\/\*.*?\*\/|"(?:[^"\\\n\r\f]|\\.)*"|'(?:[^'\\\n\r\f]|\\.)*'/
      .dotMatchesNewlines().matchingSemantics(.unicodeScalar)
    let rules = text.replacing(hidden, with: "")
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
      !rules.contains(/["']|\/\*/)
    else { throw JoiningError("ends within a rule") }
    return text
  }

  /// Adds a joined file, in the folder of its parts so that their relative addresses remain, and returns its
  /// path.
  private mutating func add(
    _ text: String, beside part: String, type: String
  ) throws(JoiningError) -> String {
    let bytes = Array(text.utf8)
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

/// An ES module, taken apart so that it can stand in one script with those that it imports.
///
/// It takes named imports, exports of functions, classes and single constants, and exports from other modules.
/// A module with anything else whose meaning depends on its file is refused. Functions and classes that are
/// exported must not be replaced by others later.
struct ModuleScript {
  /// What it takes from a module that must run before it.
  struct Dependency {
    /// The path of the module, as it is written.
    let specifier: String
    /// The names that are taken with those that they get; `nil` for all names as they are.
    let aliases: [(name: String, own: String)]?
    /// Whether the names are exported, and not known in this module.
    let isExported: Bool
  }

  /// The declarations with a path, in their order.
  private(set) var dependencies: [Dependency] = []
  /// The names that it declares and exports.
  private(set) var declared: [String] = []
  /// The code without comments, imports and the word `export`.
  private(set) var body = ""

  /// The beginning of names that no module may have.
  static let reservedPrefix = "__module"

  /// Takes a module apart.
  ///
  /// - Throws: ``JoiningError`` if it has what cannot be joined.
  init(_ bytes: [UInt8]) throws(JoiningError) {
    var tokens = try ScriptTokens.split(bytes)[...]
    var previous = ""
    while let token = tokens.popFirst() {
      let word = token.kind == .word && previous != "." ? token.text : ""
      previous = token.text
      guard word == "import" || word == "export" else {
        guard word != "var", !word.hasPrefix(Self.reservedPrefix) else {
          throw JoiningError("line \(token.line) has \(word), which other modules would see")
        }
        body += token.space + token.text
        continue
      }
      // A semicolon in its place separates the statements around it.
      body += "\n;"
      if word == "export", let name = Self.name(declaredBy: tokens) {
        declared.append(name)
        continue
      }
      let declaration = tokens.prefix { $0.text != ";" }.map(\.text).joined(separator: " ")
      tokens = tokens.drop { $0.text != ";" }.dropFirst()
      if word == "export", declaration == "{ }" { continue }
      guard let dependency = Self.dependency(declaration, isExported: word == "export") else {
        throw JoiningError("line \(token.line) has an \(word) of another form")
      }
      dependencies.append(dependency)
    }
  }

  /// Returns the name of the function, class or constant that is declared first.
  private static func name(declaredBy tokens: ArraySlice<ScriptToken>) -> String? {
    let text = tokens.prefix(4).map(\.text).joined(separator: " ")
    let form = /(?:(?:async )?function (?:\* )?|class )([\w$]+)|const ([\w$]+) =/
    return text.prefixMatch(of: form).flatMap { $0.output.1 ?? $0.output.2 }.map(String.init)
  }

  /// Reads `{ a , b as c } from "./module.js"`, `* from "./module.js"` or `"./module.js"`.
  private static func dependency(_ text: String, isExported: Bool) -> Dependency? {
    let form = /(?:(?:{(.*)}|(\*)) from )?["'](\.\.?\/[\w.\/\-]+)["']/
    guard let (_, list, all, specifier) = text.wholeMatch(of: form)?.output else { return nil }
    var aliases: [(name: String, own: String)] = []
    for item in (list ?? "").split(separator: ",") where item != " " {
      guard let (_, name, own) = item.wholeMatch(of: /\s*([\w$]+)(?: as ([\w$]+))?\s*/)?.output
      else { return nil }
      aliases.append((String(name), String(own ?? name)))
    }
    return Dependency(
      specifier: String(specifier), aliases: all == nil ? aliases : nil, isExported: isExported)
  }
}

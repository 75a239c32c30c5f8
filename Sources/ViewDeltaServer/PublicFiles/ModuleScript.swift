/// The imports, the exports and the code of an ES module, from which ``ModuleBundle`` makes a part of one script.
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
      let declaration = tokens.prefix { $0.text != ";" }
      tokens = tokens[declaration.endIndex...].dropFirst()
      if word == "export", declaration.map(\.text) == ["{", "}"] { continue }
      guard let dependency = Self.dependency(declaration, isExported: word == "export") else {
        throw JoiningError("line \(token.line) has an \(word) of another form")
      }
      dependencies.append(dependency)
    }
  }

  /// Returns the name of the function, class or constant that is declared first.
  private static func name(declaredBy tokens: ArraySlice<ScriptToken>) -> String? {
    var words = tokens.prefix(5).map(\.text)[...]
    if words.starts(with: ["async", "function"]) { words.removeFirst() }
    switch words.popFirst() {
    case "function": return words.first == "*" ? words.dropFirst().first : words.first
    case "class": return words.first
    case "const": return words.dropFirst().first == "=" ? words.first : nil
    default: return nil
    }
  }

  /// Reads `{ a , b as c } from "./module.js"`, `* from "./module.js"` or `"./module.js"`.
  private static func dependency(
    _ declaration: ArraySlice<ScriptToken>, isExported: Bool
  ) -> Dependency? {
    let words = declaration.map(\.text)
    guard let specifier = words.last?.dropFirst().dropLast(), declaration.last?.kind == .text,
      specifier.hasPrefix("./") || specifier.hasPrefix("../"),
      specifier.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "_./-".contains($0)) })
    else { return nil }
    let names = words.dropLast()
    var aliases: [(name: String, own: String)]? = []
    if names == ["*", "from"] {
      aliases = nil
    } else if names.first == "{", names.suffix(2) == ["}", "from"] {
      for item in names.dropFirst().dropLast(2).split(separator: ",") {
        guard let name = item.first, let own = item.last,
          item.count == 1 || item.count == 3 && item.dropFirst().first == "as"
        else { return nil }
        aliases?.append((name, own))
      }
    } else if !names.isEmpty {
      return nil
    }
    return Dependency(specifier: String(specifier), aliases: aliases, isExported: isExported)
  }
}

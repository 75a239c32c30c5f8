/// The imports, the exports and the code of an ES module, from which ``ModuleBundle`` makes a part of a script.
///
/// It takes named imports, calls of `import` with the path of a module, exports of functions, classes and single
/// constants, and exports from other modules. A module with anything else whose meaning depends on its file is
/// refused. Functions and classes that are exported must not be replaced by others later.
struct ModuleScript {
  /// What it takes from a module that must run before it.
  struct Dependency {
    /// The path of the module.
    let path: String
    /// The names that are taken with those that they get; `nil` for all names as they are.
    let aliases: [(name: String, own: String)]?
    /// Whether the names are exported, and not known in this module.
    let isExported: Bool
  }

  /// The declarations with a path, in their order.
  private(set) var dependencies: [Dependency] = []
  /// The paths of the modules that it imports by calls.
  private(set) var calls: [String] = []
  /// A line on which it awaits something that may be outside of its functions, so before it has exports; `nil` if there
  /// is none.
  private(set) var awaitingLine: Int?
  /// The names that it declares and exports.
  private(set) var declared: [String] = []
  /// The code without comments, imports, the word `export`, and most spaces.
  private(set) var body = ""

  /// The beginning of names that no module may have.
  static let reservedPrefix = "__module"
  /// The name of the function that takes the place of `import` in calls.
  static let importer = reservedPrefix + "Later"

  /// The marks that need no space beside them.
  private static let ends: Set<String> = ["{", "}", "(", ")", "[", "]", ",", ";", ":", "="]

  private static let openings: Set<String> = ["{", "(", "["]
  private static let closings: Set<String> = ["}", ")", "]"]

  /// Takes a module apart.
  ///
  /// - Parameters:
  ///   - bytes: The text of the module.
  ///   - path: The path of the module, to which those in it are relative.
  /// - Throws: ``JoiningError`` if it has what cannot be joined.
  init(_ bytes: [UInt8], at path: String) throws(JoiningError) {
    var tokens = try ScriptTokens.split(bytes)[...]
    var previous = ""
    // Whether the next word is the name of a member: behind one dot, not behind three.
    var isMember = false
    var depth = 0
    // Whether `async` stands before the next token, in its statement or in the function, class or block around it.
    var isAsync = false
    // Whether `export const` does. It declares a single constant.
    var isConstant = false
    while let token = tokens.popFirst() {
      let word = token.kind == .word && !isMember ? token.text : ""
      let isApart = token.space != " " || Self.ends.isDisjoint(with: [previous, token.text])
      let space = isApart ? token.space : ""
      isMember = token.text == "." && previous != "."
      previous = token.text
      depth += Self.openings.contains(token.text) ? 1 : Self.closings.contains(token.text) ? -1 : 0
      if depth == 0, token.text == ";" || token.text == "}" { isAsync = false }
      if depth == 0, token.text == ";" { isConstant = false }
      if depth == 0, token.text == ",", isConstant {
        throw JoiningError("line \(token.line) may export a second constant")
      }
      if word == "async" { isAsync = true }
      if word == "await", depth == 0 || !isAsync { awaitingLine = token.line }
      let call = tokens.prefix(3)
      if word == "import", call.first?.text == "(", call.last?.text == ")",
        let module = try Self.path(call.dropFirst().first, from: path)
      {
        calls.append(module)
        body += "\(space)\(Self.importer)(\"\(module)\")"
        previous = ")"
        tokens = tokens.dropFirst(3)
        continue
      }
      guard word == "import" || word == "export" else {
        guard word != "var", !word.hasPrefix(Self.reservedPrefix) else {
          throw JoiningError("line \(token.line) has \(word), which other modules would see")
        }
        body += space + token.text
        continue
      }
      // A semicolon in its place separates the statements around it.
      body += "\n;"
      if word == "export", let name = Self.name(declaredBy: tokens) {
        declared.append(name)
        isConstant = tokens.first?.text == "const"
        continue
      }
      let declaration = tokens.prefix { $0.text != ";" }
      tokens = tokens[declaration.endIndex...].dropFirst()
      if word == "export", declaration.map(\.text) == ["{", "}"] { continue }
      let isExported = word == "export"
      guard let dependency = try Self.dependency(declaration, isExported: isExported, from: path)
      else { throw JoiningError("line \(token.line) has an \(word) of another form") }
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
    _ declaration: ArraySlice<ScriptToken>, isExported: Bool, from path: String
  ) throws(JoiningError) -> Dependency? {
    guard let module = try self.path(declaration.last, from: path) else { return nil }
    let names = declaration.dropLast().map(\.text)
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
    return Dependency(path: module, aliases: aliases, isExported: isExported)
  }

  /// Returns the path of the module that a text such as `"./module.js"` names in another one; `nil` for any other
  /// token.
  private static func path(
    _ token: ScriptToken?, from path: String
  ) throws(JoiningError) -> String? {
    guard let token, token.kind == .text else { return nil }
    let specifier = token.text.dropFirst().dropLast()
    guard specifier.hasPrefix("./") || specifier.hasPrefix("../"),
      specifier.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "_./-".contains($0)) })
    else { return nil }
    var folders = path.split(separator: "/").dropLast()
    for part in specifier.split(separator: "/", omittingEmptySubsequences: false) where part != "."
    {
      if part != ".." {
        folders.append(part)
      } else if folders.popLast() == nil {
        throw JoiningError("\(specifier) leads out of the folder")
      }
    }
    return folders.joined(separator: "/")
  }
}

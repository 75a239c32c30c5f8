/// A module with all that it imports, as one script.
///
/// The order of the modules is that in which a browser runs them, with one difference: if a module awaits something,
/// all later ones wait. Each module is a block, which hides its names, and an object with its exports:
///
/// ```js
/// let __module1; { function h() {} __module1 = { h }; }
/// let __module2; { const { h } = __module1; h(); __module2 = {}; }
/// ```
struct ModuleBundle {
  private(set) var text = ""
  private var count = 0
  private let sources: [String: [UInt8]]
  /// The modules in the text by their paths, and `nil` for those that wait for what they import.
  private var modules: [String: Joined?] = [:]

  /// A module in the text: the name of its object, and the names in it.
  private struct Joined {
    let name: String
    let exports: Set<String>
  }

  /// Joins a module with those that it imports.
  ///
  /// - Parameters:
  ///   - entry: The path of the module.
  ///   - sources: The files of the directory by their paths.
  /// - Throws: ``JoiningError`` if a module does not exist, is refused by ``ModuleScript``, imports what is
  ///   not exported, or imports itself by way of others.
  init(entry: String, sources: [String: [UInt8]]) throws(JoiningError) {
    self.sources = sources
    _ = try add(entry)
  }

  /// Adds a module behind those that it imports, unless it is there.
  private mutating func add(_ path: String) throws(JoiningError) -> Joined {
    if let known = modules[path] {
      guard let known else { throw JoiningError("\(path): imports itself by way of others") }
      return known
    }
    guard let bytes = sources[path] else { throw JoiningError("\(path): does not exist") }
    modules[path] = .some(nil)
    let module: ModuleScript
    do { module = try ModuleScript(bytes) } catch { throw JoiningError("\(path): \(error.reason)") }
    var imports = ""
    var exports = Set(module.declared)
    var members = module.declared
    for dependency in module.dependencies {
      let other = try add(Self.resolve(dependency.specifier, from: path))
      let aliases = dependency.aliases ?? other.exports.sorted().map { ($0, $0) }
      for alias in aliases where !other.exports.contains(alias.name) {
        throw JoiningError("\(path): \(dependency.specifier) does not export \(alias.name)")
      }
      guard dependency.isExported else {
        let names = aliases.map { "\($0.name): \($0.own)" }.joined(separator: ", ")
        imports += "const { \(names) } = \(other.name);\n"
        continue
      }
      for alias in aliases {
        guard exports.insert(alias.own).inserted else {
          throw JoiningError("\(path): exports \(alias.own) twice")
        }
        members.append("\(alias.own): \(other.name).\(alias.name)")
      }
    }
    count += 1
    let name = "\(ModuleScript.reservedPrefix)\(count)"
    text += """
      // \(path)
      let \(name);
      {
      \(imports)\(module.body)
      \(name) = { \(members.joined(separator: ", ")) };
      }

      """
    let joined = Joined(name: name, exports: exports)
    modules[path] = joined
    return joined
  }

  /// Returns the path of a module that another one names.
  private static func resolve(
    _ specifier: String, from path: String
  ) throws(JoiningError) -> String {
    var folders = path.split(separator: "/").dropLast()
    for part in specifier.split(separator: "/", omittingEmptySubsequences: false) where part != "."
    {
      if part != ".." {
        folders.append(part)
      } else if folders.popLast() == nil {
        throw JoiningError("\(path): \(specifier) leads out of the folder")
      }
    }
    return folders.joined(separator: "/")
  }
}

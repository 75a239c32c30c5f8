/// A module with all that it imports, as one script, and a second script with what these import only when they
/// need it.
///
/// The order of the modules is that in which a browser runs them, with one difference: if a module awaits something,
/// all later ones wait. Each module is a block, which hides its names, and an object with its exports:
///
/// ```js
/// let __module1; { function h() {} __module1 = { h }; }
/// let __module2; { const { h } = __module1; h(); __module2 = {}; }
/// ```
///
/// A call of `import` loads the second script, which has the modules of all such calls and runs them at the first
/// one. It takes from the first script the modules that are there already.
struct ModuleBundle {
  /// The modules of each script.
  private var texts = [""]
  private var count = 0
  private let sources: [String: [UInt8]]
  /// The modules in the scripts by their paths, and `nil` for those that wait for what they import.
  private var modules: [String: Joined?] = [:]
  /// The paths of the modules that are imported by calls.
  private var calls: [String] = []
  /// The same modules, in the same order, as far as they were added.
  private var called: [(path: String, module: Joined)] = []
  /// The names of the modules that the second script takes from the first.
  private var shared: Set<String> = []
  /// The reason for which a script could wait for the second one, also the second for itself; `nil` if there is none.
  private var waits: String?

  /// A module in a script: the index of the script, the name of its object, and the names in it.
  private struct Joined {
    let script: Int
    let name: String
    let exports: Set<String>
  }

  /// Joins a module with those that it imports.
  ///
  /// - Parameters:
  ///   - entry: The path of the module.
  ///   - sources: The files of the directory by their paths.
  /// - Throws: ``JoiningError`` if a module does not exist, is refused by ``ModuleScript``, imports what is
  ///   not exported, imports itself by way of others, or awaits something that may be in the second script.
  init(entry: String, sources: [String: [UInt8]]) throws(JoiningError) {
    self.sources = sources
    _ = try add(entry)
    guard !calls.isEmpty else { return }
    texts.append("")
    // What is added may have calls of its own.
    while called.count < calls.count {
      let path = calls[called.count]
      called.append((path, try add(path)))
    }
    if let waits { throw JoiningError(waits) }
  }

  /// The paths of the modules.
  var paths: Set<String> { Set(modules.keys) }

  /// Returns the scripts with their names.
  ///
  /// - Parameter name: The name of the first script, without its extension.
  func scripts(named name: String) -> [(name: String, text: String)] {
    let (first, second) = ("\(name).js", "\(name)-later.js")
    guard texts.count > 1 else { return [(first, texts[0])] }
    let importer = ModuleScript.importer
    // Firefox does not ask again for a script that has not come, unless its address is another one.
    let tries = importer + "Tries"
    let names = (shared.sorted() + [importer]).joined(separator: ", ")
    let members = called.map { "\"\($0.path)\": \($0.module.name)" }.joined(separator: ", ")
    return [
      (
        first,
        """
        let \(tries) = 0;
        const \(importer) = async (path) => {
          const before = \(tries);
          try {
            return (await import(`./\(second)${before > 0 ? `?${before}` : ""}`)).default[path];
          } catch (error) {
            \(tries) = before + 1;
            throw error;
          }
        };
        \(texts[0])export { \(names) };

        """
      ),
      (
        second,
        """
        import { \(names) } from "./\(first)";
        \(texts[1])export default { \(members) };

        """
      ),
    ]
  }

  /// Adds a module behind those that it imports, unless it is there.
  private mutating func add(_ path: String) throws(JoiningError) -> Joined {
    let script = texts.count - 1
    if let known = modules[path] {
      guard let known else { throw JoiningError("\(path): imports itself by way of others") }
      if known.script < script { shared.insert(known.name) }
      return known
    }
    guard let bytes = sources[path] else { throw JoiningError("\(path): does not exist") }
    modules[path] = .some(nil)
    let module: ModuleScript
    do { module = try ModuleScript(bytes, at: path) } catch {
      throw JoiningError("\(path): \(error.reason)")
    }
    for call in module.calls where !calls.contains(call) { calls.append(call) }
    if let line = module.awaitingLine {
      waits = "\(path): line \(line) awaits what a later script could have"
    }
    var imports = ""
    var exports = Set(module.declared)
    var members = module.declared
    for dependency in module.dependencies {
      let other = try add(dependency.path)
      let aliases = dependency.aliases ?? other.exports.sorted().map { ($0, $0) }
      for alias in aliases where !other.exports.contains(alias.name) {
        throw JoiningError("\(path): \(dependency.path) does not export \(alias.name)")
      }
      guard dependency.isExported else {
        let names = aliases.map { $0.name == $0.own ? $0.name : "\($0.name): \($0.own)" }
        imports += "const { \(names.joined(separator: ", ")) } = \(other.name);\n"
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
    texts[script] += """
      // \(path)
      let \(name);
      {
      \(imports)\(module.body)
      \(name) = { \(members.joined(separator: ", ")) };
      }

      """
    let joined = Joined(script: script, name: name, exports: exports)
    modules[path] = joined
    return joined
  }
}

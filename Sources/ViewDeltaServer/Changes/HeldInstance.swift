import CanonicalJSON
import MicroHTTP
import ViewState

/// One of many view models that a request names, with what the client holds of it.
struct HeldInstance: Hashable, Sendable {
  let path: InstancePath
  var held: HeldRevision

  /// The number of view models that one request may name.
  static let limit = 100
}

extension HeldInstance {
  /// Reads the member of a body that has what the client holds by the names of the view models.
  ///
  /// - Throws: `JSONShapeError` with a pointer to the member at fault.
  static func list(_ instances: JSONReader) throws(JSONShapeError) -> [HeldInstance] {
    let names = try instances.memberNames
    guard (1...limit).contains(names.count) else {
      throw instances.error("expected 1 to \(limit) view models, found \(names.count)")
    }
    return try names.map { name throws(JSONShapeError) in
      let instance = try instances.member(name)
      guard let path = InstancePath(name) else {
        throw instance.error("the name is not a screen and a key, such as profile/1")
      }
      return HeldInstance(path: path, held: try HeldRevision(instance))
    }
  }

  /// Reads a query that names view models, each followed by what the client holds of it:
  /// `screen=profile/1&since=R1&screen=form/2`.
  ///
  /// - Throws: A 400 problem for a parameter that is empty, malformed, given twice or not behind its `screen`,
  ///   and for no view model, too many, or one that is named twice.
  static func list(_ query: Query) throws(ProblemDetails) -> [HeldInstance] {
    var groups: [(name: String, values: [String: String])] = []
    for (parameter, value) in query.parameters(["screen"] + HeldRevision.parameters) {
      if value.isEmpty { throw .badQuery("\(parameter) is empty") }
      if parameter == "screen" {
        groups.append((value, [:]))
        continue
      }
      guard let last = groups.indices.last else {
        throw .badQuery("\(parameter) has no screen before it")
      }
      if groups[last].values.updateValue(value, forKey: parameter) != nil {
        throw .badQuery("\(parameter) of \(groups[last].name) is repeated")
      }
    }
    guard (1...limit).contains(groups.count) else {
      throw .badQuery(
        "expected the parameter screen 1 to \(limit) times, found \(groups.count)")
    }
    var known: Set<InstancePath> = []
    return try groups.map { name, values throws(ProblemDetails) in
      guard let path = InstancePath(Text(name)) else {
        throw .badQuery("\(name) is not a screen and a key, such as profile/1")
      }
      guard known.insert(path).inserted else { throw .badQuery("\(name) is repeated") }
      return HeldInstance(path: path, held: try HeldRevision { values[$0] })
    }
  }
}

public import CanonicalJSON
import MicroHTTP
import ViewState

/// Answers with the screens on offer, described so that a client can show any of them.
struct ScreenEndpoints: Sendable {
  let registry: ScreenRegistry
  /// The lists of keys by the names of screens.
  let keys: [Text: ScreenKeys]
  /// The OpenAPI document with the components that schemas refer to.
  let document: OpenAPIDocument
  /// The sources whose faults clients may script.
  let faultSources: Set<Text>

  /// Adds the routes.
  ///
  /// - Throws: ``ApplicationError`` if a schema refers to a component that the document does not have.
  func register(in router: inout Router) throws {
    let path = "/v1/view-models"
    var list: [JSONValue] = []
    var documents: [Text: StaticDocument] = [:]
    // Encoded at the start, so that a number that JSON cannot express, a mistake of the program, shows at once.
    for screen in registry.descriptors {
      let members = try members(of: screen)
      list.append(.object(members))
      let bytes = try description(of: screen, members).canonicalBytes()
      documents[screen.name] = StaticDocument { bytes }
    }
    let bytes = JSONValue.object(["screens": .array(list)]).canonicalBytes()
    router.get(path, StaticDocument { bytes }.reply)
    router.get(path + "/{screen}") { [documents] (request) throws(ProblemDetails) in
      let document = request.parameters["screen"].flatMap { documents[Text($0)] }
      guard let document else { throw .unknownScreen }
      return try document.reply(to: request)
    }
  }

  /// Describes a screen: its members in the list, the types of its rows, and its state machines as tables and as a
  /// diagram.
  private func description(
    of screen: ScreenDescriptor, _ members: [Text: JSONValue]
  ) throws -> JSONValue {
    let machines = registry.stateMachines(of: screen.name) ?? []
    var members = members
    members["rowTypes"] = .array(
      try screen.rowTypes.map { type in
        .object([
          "type": .string(type.name), "summary": .string(type.summary),
          "schema": try document.standalone(type.schema, commands: screen.commands),
        ])
      })
    if !screen.failures.isEmpty {
      members["failures"] = .array(
        screen.failures.map { .object([Text: JSONValue](LoadFailure.fields, of: $0)) })
    }
    members["stateMachine"] = .object(
      machines.reduce(into: [:]) { $0[Text($1.name)] = $1.json })
    members["mermaid"] = .string(StateMachine.mermaid(machines))
    return .object(members)
  }

  private func members(of screen: ScreenDescriptor) throws -> [Text: JSONValue] {
    let commands = try screen.commands.map { command in
      JSONValue.object([
        "type": .string(command.type), "summary": .string(command.summary),
        "schema": try document.standalone(command.schema, commands: screen.commands),
      ])
    }
    var members: [Text: JSONValue] = [
      "name": .string(screen.name), "summary": .string(screen.summary),
      "path": .string("/v1/view-models/\(screen.name)/{\(screen.keyName)}"),
      "sources": .array(screen.sources.map(JSONValue.string)), "commands": .array(commands),
    ]
    members["language"] = screen.language.map { .string(Text($0.rawValue)) }
    if let opening = screen.opening {
      members["opening"] = .string(opening)
      members["opens"] = .array(screen.opened.map(JSONValue.string))
    }
    members["keys"] = keys[screen.name]?.json
    if screen.isPersonal { members["personal"] = true }
    let faults = screen.sources.filter(faultSources.contains)
    if !faults.isEmpty { members["faults"] = .array(faults.map(JSONValue.string)) }
    return members
  }
}

/// The list of the keys of a screen, from which a client lets a user choose.
///
/// ```swift
/// application.add(NoteScreen(store: store), keys: .collection(path: "/v1/notes", title: "title"))
/// application.add(ClockScreen(), keys: .only(["now"]))
/// ```
public enum ScreenKeys: Sendable {
  /// The keys are the ids of the elements of the REST collection at a path. `title` is the member with the
  /// name of an element for people; `nil` if elements have no names.
  case collection(path: String, title: String?)
  /// The keys are exactly these. Then clients of a screen that shows a whole store go on with their revisions after a
  /// restart with a journal.
  case only([Text])

  /// The keys, if the program knows all of them.
  var listed: [Text] {
    switch self {
    case .collection: []
    case .only(let keys): keys
    }
  }

  /// The description of the keys in the list of screens.
  var json: JSONValue {
    switch self {
    case .collection(let path, let title):
      .object(
        ["collection": .string(path)]
          .merging(title.map { ["title": .string($0)] } ?? [:]) { $1 })
    case .only(let keys): ["only": .array(keys.map(JSONValue.string))]
    }
  }
}

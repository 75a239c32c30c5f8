import CanonicalJSON
import MicroHTTP
import ViewState

/// The screens on offer: what a client must know to show any of them.
struct ScreenEndpoints: Sendable {
  private let registry: ScreenRegistry
  private let document: OpenAPIDocument
  private let keys: [Text: ScreenKeys]
  private let faultSources: Set<Text>

  /// - Parameters:
  ///   - document: Has the components that schemas of rows refer to.
  ///   - faultSources: The sources whose faults clients may script.
  init(
    _ registry: ScreenRegistry, keys: [Text: ScreenKeys], _ document: OpenAPIDocument,
    faultSources: Set<Text>
  ) {
    self.registry = registry
    self.document = document
    self.keys = keys
    self.faultSources = faultSources
  }

  func register(in router: inout Router) {
    let path = "/v1/view-models"
    let screens = registry.descriptors.map { JSONValue.object(members(of: $0)) }
    let list: JSONValue = ["screens": .array(screens)]
    router.get(path, StaticDocument(list.canonicalBytes()).reply)
    let documents = Dictionary(
      uniqueKeysWithValues: registry.descriptors.map { screen in
        (screen.name, StaticDocument(description(of: screen).canonicalBytes()))
      })
    router.get(path + "/{screen}") { (request) throws(ProblemDetails) in
      let document = request.parameters["screen"].flatMap { documents[Text($0)] }
      guard let document else { throw .unknownScreen }
      return try document.reply(to: request)
    }
  }

  /// The screen with the types of its rows, and its state machines as tables and as a diagram.
  private func description(of screen: ScreenDescriptor) -> JSONValue {
    let machines = registry.stateMachines(of: screen.name) ?? []
    var members = members(of: screen)
    members["rowTypes"] = .array(
      screen.rowTypes.map { type in
        .object([
          "type": .string(type.name), "summary": .string(type.summary),
          "schema": document.standalone(type.schema, commands: screen.commands),
        ])
      })
    members["stateMachine"] = .object(
      machines.reduce(into: [:]) { $0[Text($1.name)] = $1.json })
    members["mermaid"] = .string(StateMachine.mermaid(machines))
    return .object(members)
  }

  private func members(of screen: ScreenDescriptor) -> [Text: JSONValue] {
    let commands = screen.commands.map { command in
      JSONValue.object([
        "type": .string(command.type), "summary": .string(command.summary),
        "schema": document.standalone(command.schema, commands: screen.commands),
      ])
    }
    var members: [Text: JSONValue] = [
      "name": .string(screen.name), "summary": .string(screen.summary),
      "path": .string("/v1/view-models/\(screen.name)/{\(screen.keyName)}"),
      "sources": .array(screen.sources.map(JSONValue.string)), "commands": .array(commands),
    ]
    members["opening"] = screen.opening.map(JSONValue.string)
    members["keys"] = keys[screen.name]?.json
    let faults = screen.sources.filter(faultSources.contains)
    if !faults.isEmpty { members["faults"] = .array(faults.map(JSONValue.string)) }
    return members
  }
}

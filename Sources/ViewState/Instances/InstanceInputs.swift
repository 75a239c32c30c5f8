import CanonicalJSON

/// A command to an instance.
struct CommandInput: RepeatableInput {
  typealias Success = CommandOutcome
  typealias Failure = CommandFailure

  let host: ScreenHost
  let key: Text
  let command: SentCommand
  /// The revisions that the sender allows; `nil` for any.
  let expected: Set<RevisionToken>?

  var subject: Text { host.loggedName(key) }
  var memoryByteCount: Int { command.body.value.memoryByteCount }

  func json() throws(JSONShapeError) -> JSONValue {
    var members: [Text: JSONValue] = [
      "kind": "command", "screen": .string(host.descriptor.name), "key": .string(key),
      "body": command.body.value,
    ]
    members["expected"] = expected.map { tokens in
      .array(tokens.map(\.description).sorted().map { .string(Text($0)) })
    }
    return .object(members)
  }

  func apply(in step: Step) -> Result<CommandOutcome, CommandFailure> {
    Result { () throws(CommandFailure) in
      let instance: Instance
      do throws(ScreenLookupError) {
        instance = try host.find(key)
      } catch {
        throw .unavailable(error)
      }
      return try InstanceDraft(of: instance).run(command, expecting: expected, step)
    }
  }
}

/// The end of a load of an instance.
struct LoadEnd: Input {
  let host: ScreenHost
  let key: Text
  /// The epoch of the view model that started the load: a key that is created again counts its loads from 1.
  let epoch: RevisionEpoch
  let source: PartWork
  let token: LoadToken
  /// The value from outside; `nil` if it is in a store.
  let value: JSONValue?
  let failure: LoadFailure?

  var subject: Text { host.loggedName(key) }
  var memoryByteCount: Int { value?.memoryByteCount ?? 0 }

  func json() throws(JSONShapeError) -> JSONValue {
    var members: [Text: JSONValue] = [
      "kind": "load", "screen": .string(host.descriptor.name), "key": .string(key),
      "epoch": .string(Text(epoch.description)),
      "source": try JSONValue(encoding: source), "token": .integer(token.ordinal),
    ]
    members["value"] = value
    if let failure { members["failure"] = try JSONValue(encoding: failure) }
    return .object(members)
  }

  func apply(in step: Step) -> Result<Void, MissingPart> {
    // An instance that is gone was never touched, so it waits for no load.
    guard let instance = host.known(key), instance.epoch == epoch else { return .success(()) }
    guard instance.screen.hasPart(source.part) else { return .failure(MissingPart(source.part)) }
    InstanceDraft(of: instance).end(
      source, token, bringing: value, failing: failure, step)
    return .success(())
  }
}

/// The part whose work has ended is none of the screen: another build had it. If it has another name now, it does the
/// work again.
struct MissingPart: Error, CustomStringConvertible {
  private let name: Text

  init(_ name: Text) { self.name = name }

  var description: String {
    "the screen has no part named “\(name)”; if that has another name now, its work is done again"
  }
}

/// The end of a load of an instance that the clock has asked for.
struct Refresh: Input {
  let host: ScreenHost
  let key: Text
  let epoch: RevisionEpoch
  let source: PartWork
  let value: JSONValue

  var subject: Text { host.loggedName(key) }
  var memoryByteCount: Int { value.memoryByteCount }
  // The clock loads again.
  var notRecorded: Void? { () }

  func json() throws(JSONShapeError) -> JSONValue {
    [
      "kind": "refresh", "screen": .string(host.descriptor.name), "key": .string(key),
      "epoch": .string(Text(epoch.description)), "source": try JSONValue(encoding: source),
      "value": value,
    ]
  }

  func apply(in step: Step) {
    guard let instance = host.known(key), instance.epoch == epoch else { return }
    InstanceDraft(of: instance).refresh(source, with: value, step)
  }
}

/// The use of a session on one server, of which the others would know nothing. It changes no state.
struct Use: Input {
  let host: ScreenHost
  let key: Text

  var subject: Text { host.loggedName(key) }
  // The session is looked at again.
  var notRecorded: Void? { () }

  func json() -> JSONValue {
    ["kind": "use", "screen": .string(host.descriptor.name), "key": .string(key)]
  }

  func apply(in step: Step) {
    host.wasUsed(key)
  }
}

/// The end of a session that was not in use, whose state is forgotten.
struct Forget: Input {
  let host: ScreenHost
  let key: Text
  /// The name of the state. One that was changed since is not forgotten.
  let token: RevisionToken

  var subject: Text { host.loggedName(key) }
  // The session is looked at again.
  var notRecorded: Void? { () }

  func json() -> JSONValue {
    [
      "kind": "forget", "screen": .string(host.descriptor.name), "key": .string(key),
      "epoch": .string(Text(token.epoch.description)), "number": .integer(token.number),
    ]
  }

  func apply(in step: Step) {
    guard let instance = host.known(key) else { return }
    InstanceDraft(of: instance).end(token, step)
  }
}

extension ScreenHost {
  /// Reads an input for an instance.
  func input(_ json: JSONReader) throws(JSONShapeError) -> any Input {
    let key = try json.member("key").string()
    let kind = try json.member("kind")
    switch try kind.string() {
    case "command":
      let body = try json.member("body")
      let expected = try json.optionalMember("expected")?.elements()
        .map { (token) throws(JSONShapeError) -> RevisionToken in
          try token.parsed(as: "a revision")
        }
      do throws(Refusal) {
        return CommandInput(
          host: self, key: key, command: try SentCommand(JSONReader(body.value)),
          expected: expected.map { Set($0) })
      } catch {
        throw body.error(error.message)
      }
    case "load":
      return LoadEnd(
        host: self, key: key, epoch: try json.member("epoch").parsed(as: "an epoch"),
        source: try json.member("source").decode(PartWork.self),
        token: try json.member("token").decode(LoadToken.self),
        value: try json.optionalMember("value")?.value,
        failure: try json.optionalMember("failure")?.decode(LoadFailure.self))
    case "refresh":
      return Refresh(
        host: self, key: key, epoch: try json.member("epoch").parsed(as: "an epoch"),
        source: try json.member("source").decode(PartWork.self),
        value: try json.member("value").value)
    case "use": return Use(host: self, key: key)
    case "forget":
      let epoch: RevisionEpoch = try json.member("epoch").parsed(as: "an epoch")
      let token = RevisionToken(epoch: epoch, number: try json.member("number").count())
      return Forget(host: self, key: key, token: token)
    default: throw kind.error("no such kind of input")
    }
  }
}

extension JSONReader {
  /// Reads a value from its text form.
  fileprivate func parsed<Value: LosslessStringConvertible>(
    as name: String
  ) throws(JSONShapeError) -> Value {
    guard let value = Value(try string().string) else { throw error("expected \(name)") }
    return value
  }
}

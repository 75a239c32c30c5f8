public import CanonicalJSON
import HTTPTypes
public import MicroHTTP
public import ViewState

/// Sets and shows the latency and failures of sources that clients script, to see how screens react. A source
/// without a script is shown with the one that says the same: each load succeeds after the usual time.
struct FaultEndpoints: Sendable {
  /// The sources by their names.
  let targets: [Text: any FaultTarget]

  func register(in router: inout Router) {
    let path = "/v1/faults/{source}/{key}"
    router.get(path) { (request) throws(ProblemDetails) in
      try request.requireJSONAccepted()
      let (source, key) = try target(of: request)
      return .json((try source.faultScript(of: key) ?? FaultScript()).json)
    }
    router.on(.put, path) { (request) async throws(ProblemDetails) in
      try request.requireJSONAccepted()
      _ = try target(of: request)
      let body = try request.json()
      let script: FaultScript
      do throws(JSONShapeError) {
        script = try FaultScript(body)
      } catch {
        throw ProblemDetails(error)
      }
      try await set(script, request)
      return .json(script.json)
    }
    router.on(.delete, path) { (request) async throws(ProblemDetails) in
      try await set(nil, request)
      return .done
    }
  }

  private func set(_ script: FaultScript?, _ request: Request) async throws(ProblemDetails) {
    let (source, key) = try target(of: request)
    try await source.setFaultScript(script, of: key)
  }

  private func target(
    of request: Request
  ) throws(ProblemDetails) -> (any FaultTarget, key: Text) {
    guard let source = request.parameters["source"].flatMap({ targets[Text($0)] }),
      let key = request.parameters["key"]
    else {
      throw ProblemDetails(
        status: .notFound, code: "unknown-source", detail: "there is no source of this name")
    }
    return (source, Text(key))
  }
}

/// The faults of a source that does not follow scripts by itself.
struct SourceFaults: FaultTarget {
  let source: Text
  let scripts: Store<ScriptedFaults>
  /// A screen that shows the source.
  let screen: Text
  let registry: ScreenRegistry

  func faultScript(of key: Text) throws(ProblemDetails) -> FaultScript? {
    try check(key)
    return scripts.value[source, key]
  }

  func setFaultScript(_ script: FaultScript?, of key: Text) async throws(ProblemDetails) {
    try check(key)
    do throws(ScriptedFaults.Refusal) {
      try await scripts.write(.init(script, of: source, for: key))
    } catch {
      switch error {
      case .full, .reusedKey:
        throw ProblemDetails(
          status: .conflict, code: "store-full", detail: "there are too many fault scripts")
      case .notRecorded:
        throw .notRecorded
      case .unconfirmed:
        throw .unconfirmed
      }
    }
  }

  private func check(_ key: Text) throws(ProblemDetails) {
    do throws(ScreenLookupError) {
      _ = try registry.instance(screen: screen, key: key)
      // Loads ask by the key without its session.
      if registry.element(of: key, in: screen) != key { throw .unknownKey }
    } catch {
      throw ProblemDetails(error)
    }
  }
}

/// A source whose latency and failures can be scripted for each key. See
/// ``ApplicationBuilder/addFaults(of:_:)``.
///
/// ```swift
/// struct NoteFaults: FaultTarget {
///   let store: Store<Notes>
///
///   func faultScript(of key: Text) -> FaultScript? { store.value.faults[key] }
///
///   func setFaultScript(_ script: FaultScript?, of key: Text) async {
///     await store.write(.setFaults(script, of: key))
///   }
/// }
/// ```
public protocol FaultTarget: Sendable {
  /// Returns the remaining script for a key; `nil` if it has none.
  ///
  /// - Throws: The problem that the client gets, such as a 404 for an unknown key.
  func faultScript(of key: Text) throws(ProblemDetails) -> FaultScript?

  /// Makes the loads for a key follow a script, from the next one on; `nil` ends the script.
  ///
  /// - Throws: The problem that the client gets, such as a 404 for an unknown key.
  func setFaultScript(_ script: FaultScript?, of key: Text) async throws(ProblemDetails)
}

/// The faults of a source of a nested collection, by the ids of the parents.
struct NestedFaults<Child: ChildResource>: FaultTarget {
  let source: Text
  let store: Store<NestedCollection<Child>>

  func faultScript(of key: Text) throws(ProblemDetails) -> FaultScript? {
    do {
      return try store.value.faultScript(of: source, for: ResourceID(named: key))
    } catch {
      throw ProblemDetails(error)
    }
  }

  func setFaultScript(_ script: FaultScript?, of key: Text) async throws(ProblemDetails) {
    do {
      _ = try await store.write(.setFaults(script, of: source, for: ResourceID(named: key)))
    } catch {
      throw ProblemDetails(error)
    }
  }
}

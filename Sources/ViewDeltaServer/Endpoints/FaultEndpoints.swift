import CanonicalJSON
import HTTPTypes
import MicroHTTP
import ViewState

/// Sets and shows the latency and failures of sources that clients script, to see how screens react. A source
/// without a script is shown with a script of the same effect: each load succeeds after the usual time.
struct FaultEndpoints: Sendable {
  /// For each source a screen that shows it.
  let screens: [Text: Text]
  let scripts: Store<ScriptedFaults>
  let registry: ScreenRegistry

  func register(in router: inout Router) {
    let path = "/v1/faults/{source}/{key}"
    router.get(path) { (request) throws(ProblemDetails) in
      try request.requireJSONAccepted()
      let (source, key) = try target(of: request)
      return .json((scripts.value[source, key] ?? FaultScript()).json)
    }
    router.on(.put, path) { (request) async throws(ProblemDetails) in
      try request.requireJSONAccepted()
      let target = try target(of: request)
      let script = try request.json(as: FaultScript.init(_:))
      try await set(script, target)
      return .json(script.json)
    }
    router.on(.delete, path) { (request) async throws(ProblemDetails) in
      try await set(nil, target(of: request))
      return .done
    }
  }

  private func set(
    _ script: FaultScript?, _ target: (source: Text, key: Text)
  ) async throws(ProblemDetails) {
    do throws(StoreError) {
      try await scripts.write(.init(script, of: target.source, for: target.key))
    } catch {
      throw ProblemDetails(error)
    }
  }

  private func target(of request: Request) throws(ProblemDetails) -> (source: Text, key: Text) {
    guard let source = request.parameters["source"].map({ Text($0) }), let screen = screens[source],
      let key = request.parameters["key"].map({ Text($0) })
    else {
      throw ProblemDetails(
        status: .notFound, code: "unknown-source", detail: "there is no source of this name")
    }
    // The script of a key that was deleted can be ended.
    if scripts.value[source, key] != nil { return (source, key) }
    do throws(ScreenLookupError) {
      try registry.requireElement(key, of: screen)
    } catch {
      throw ProblemDetails(error)
    }
    return (source, key)
  }
}

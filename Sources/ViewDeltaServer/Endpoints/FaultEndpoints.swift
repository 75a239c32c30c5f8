import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Screens

/// Scripted latency and failures of the profile store's sources, for trying a screen out.
struct FaultEndpoints: Sendable {
  let store: ProfileStore

  func register(in router: inout Router) {
    let path = "/v1/faults/{source}/{key}"
    router.get(path) { (request) throws(ProblemDetails) in
      try request.requireJSONAccepted()
      let (source, key) = try target(of: request)
      do throws(ProfileStoreError) {
        return .json((try store.faultScript(source, of: key) ?? FaultScript()).json)
      } catch {
        throw ProblemDetails(error)
      }
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
      try set(script, request)
      return .json(script.json)
    }
    router.on(.delete, path) { (request) async throws(ProblemDetails) in
      try set(nil, request)
      return .done
    }
  }

  private func set(_ script: FaultScript?, _ request: Request) throws(ProblemDetails) {
    let (source, key) = try target(of: request)
    do {
      try store.setFaultScript(script, for: source, of: key)
    } catch {
      throw ProblemDetails(error)
    }
  }

  private func target(
    of request: Request
  ) throws(ProblemDetails) -> (ProfileSource, key: ResourceID) {
    guard let source = request.parameters["source"].flatMap(ProfileSource.init(rawValue:)),
      let key = request.parameters["key"]
    else {
      throw ProblemDetails(
        status: .notFound, code: "unknown-source", detail: "there is no source of this name")
    }
    return (source, ResourceID(named: key))
  }
}

import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Screens

/// Scripted latency and failures of the sources of screens, for trying a screen out.
struct FaultEndpoints: Sendable {
  private let targets: [Text: any FaultTarget]

  /// - Precondition: no two features have a source of one name.
  init(_ features: [any Feature]) {
    targets = Dictionary(uniqueKeysWithValues: features.flatMap(\.faultTargets))
  }

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

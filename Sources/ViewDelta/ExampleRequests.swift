import CanonicalJSON
import MicroHTTP
import ViewDeltaServer

/// Requests that can be tried on an application: those of one view model.
struct ExampleRequests {
  private var path: String?
  private var opening: JSONValue?

  /// Finds the first view model of the first screen that has one.
  init(_ application: Application) async {
    for (screen, keys) in application.screens {
      guard let keys, let key = await Self.key(among: keys, application) else { continue }
      path = "/v1/view-models/\(screen.name)/\(key.pathSegment)"
      opening = screen.opening.map { ["type": .string($0)] }
      return
    }
  }

  private static func key(among keys: ScreenKeys, _ application: Application) async -> ResourceID? {
    switch keys {
    case .only(let keys): return keys.first.map(ResourceID.init(named:))
    case .collection(let path, _):
      let request = Request(method: .get, target: path + "?limit=1")
      let body = await application.router.respond(to: request).body
      guard let document = try? JSONReader(JSONValue(parsing: body)) else { return nil }
      return try? document.elements().first.map { element in try ResourceID(element.member("id")) }
    }
  }

  func lines(for url: String) -> [String] {
    guard let path else { return ["curl \(url)/v1/view-models"] }
    var lines = ["curl \(url)\(path)"]
    if let opening {
      let body = String(decoding: opening.canonicalBytes(), as: UTF8.self)
      lines.append("curl --json '\(body)' \(url)\(path)/commands")
    }
    lines.append("curl \"\(url)\(path)/diff?since=REVISION\"")
    return lines
  }
}

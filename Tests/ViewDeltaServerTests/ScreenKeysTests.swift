import CanonicalJSON
import Testing

@Suite("The list of screens")
struct ScreenKeysTests {
  @Test("says of each screen where its keys are, and every one of them names a view model")
  func keys() async throws {
    let backend = try Backend(.all)
    let screens = try await backend.get("/v1/view-models").json.member("screens").elements()
    #expect(!screens.isEmpty)
    for screen in screens {
      let name = try screen.member("name").string().string
      let keys = try await Self.keys(of: screen, backend)
      #expect(!keys.isEmpty, "\(name) has no key")
      for key in keys {
        #expect(await backend.get("/v1/view-models/\(name)/\(key)").status == 200)
      }
    }
  }

  /// Finds the keys as a client does, that knows nothing of the screen.
  private static func keys(of screen: JSONReader, _ backend: Backend) async throws -> [String] {
    let keys = try screen.member("keys")
    if let only = try keys.optionalMember("only") {
      return try only.elements().map { try $0.string().string }
    }
    let path = try keys.member("collection").string().string
    let title = try keys.optionalMember("title")?.string()
    return try await backend.get(path).json.elements().map { element in
      if let title { _ = try element.member(title).string() }
      let id = try element.member("id").value
      return id.text ?? String(decoding: id.canonicalBytes(), as: UTF8.self)
    }
  }

  @Test("names the sources whose faults can be scripted, only where the server allows it")
  func faults() async throws {
    let allowed = try await Self.faults(allowed: true)
    #expect(allowed["profile"] == ["posts", "profile"])
    #expect(allowed["podcasts"] == ["podcasts"])
    #expect(allowed["catalog"] == ["children"])
    #expect(allowed["scoreboards"] == nil)
    #expect(try await Self.faults(allowed: false) == [:])
  }

  private static func faults(allowed: Bool) async throws -> [String: [String]] {
    let backend = try Backend(.all, allowsFaults: allowed)
    let screens = try await backend.get("/v1/view-models").json.member("screens").elements()
    var faults: [String: [String]] = [:]
    for screen in screens {
      faults[try screen.member("name").string().string] =
        try screen.optionalMember("faults")?.elements().map { try $0.string().string }
    }
    return faults
  }
}

import CanonicalJSON
import HTTPTypes
import MicroHTTP
import ViewState

/// What a poll of many view models wants to know: which of them changed, and how.
struct SyncQuestion: Question {
  let query: SyncQuery
  let isStrict: Bool
  let coding: ContentCoding
  let models: ViewModels

  var instance: String { SyncEndpoint.path }

  /// That nothing has changed in any of them.
  private static let nothingNew = Response(
    status: .noContent, fields: [.cacheControl: Caching.never.rawValue, .vary: "Accept"])

  /// The news of all view models that have any. What is wrong with one of them, or needs a reset,
  /// is news of that one and changes nothing for the others. All are read at one moment, so that
  /// nobody sees half a write that moves several.
  func ask() throws(ProblemDetails) -> Finding {
    var writer = JSONWriter()
    var isFirst = true
    var watched: [Watched] = []
    writer.raw("{\"screens\":{")
    let readings = models.registry.reading(of: query.screens.map { ($0.path.screen, $0.path.key) })
    for ((name, _, standpoint), reading) in zip(query.screens, readings) {
      let news: [UInt8]
      do throws(ProblemDetails) {
        let reading = try reading.orProblem()
        let screen = reading.screen
        let change = standpoint.change(in: screen, at: reading.revision, models.registry)
        if isStrict { try change.refusingReset() }
        if case .nothing(let revision) = change {
          watched.append(Watched(screen, after: revision))
          continue
        }
        news = models.replies.reply(change, of: screen, as: .json).body
      } catch {
        news = error.document
      }
      writer.separate(&isFirst)
      writer.string(name)
      writer.raw(":")
      writer.raw(news)
    }
    if isFirst { return .nothing(Self.nothingNew, watching: watched) }
    writer.raw("}}")
    return .news(
      .json(encoded: writer.bytes, fields: [.vary: "Accept, Accept-Encoding"]).coded(coding))
  }
}

extension ProblemDetails {
  /// The problem as the document of one view model among others.
  fileprivate var document: [UInt8] {
    var members = (try? JSONReader(JSONValue(parsing: response().body)).object()) ?? [:]
    members["kind"] = "problem"
    return JSONValue.object(members).canonicalBytes()
  }
}

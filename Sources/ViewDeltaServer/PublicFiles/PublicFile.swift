import HTTPTypes
import MicroHTTP

/// One file as it is served.
struct PublicFile: Sendable {
  /// Where it is served.
  let paths: [String]
  private let content: StaticContent

  /// - Parameters:
  ///   - path: the path of the file, seen from the public directory.
  ///   - bytes: what is in it.
  init(path: String, bytes: [UInt8]) {
    let index = "index.html"
    let isIndex = path == index || path.hasSuffix("/" + index)
    paths = ["/" + path] + (isIndex ? ["/" + path.dropLast(index.utf8.count)] : [])
    let type = FileType(path: path)
    // The name says nothing of the version, so a copy may be kept but is asked for each time.
    var fields: HTTPFields = [
      .contentType: type.contentType, .cacheControl: Caching.revalidate.rawValue,
    ]
    for field in BrowserPolicy.fields { fields[field.name] = field.value }
    if type.isCompressible { fields[.vary] = "Accept-Encoding" }
    content = StaticContent(bytes, fields: fields, isCompressible: type.isCompressible)
  }

  /// The file, or 304 for a client that has it.
  @Sendable func reply(to request: Request) throws(ProblemDetails) -> Response {
    try content.reply(to: request)
  }
}

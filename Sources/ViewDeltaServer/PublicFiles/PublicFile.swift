import HTTPTypes
import MicroHTTP
import ViewState

/// A file with the paths at which it is served.
struct PublicFile: Sendable {
  /// The paths of requests for the file.
  let paths: [String]
  let content: StaticContent

  /// Compresses the content of a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file, relative to the public directory.
  ///   - bytes: The content.
  ///   - imageHosts: The other servers whose pictures a page may show, in the order of their names.
  ///   - caching: What caches may do, for ever only if the name changes with the content.
  init(path: String, bytes: [UInt8], imageHosts: [String], caching: Caching = .revalidate) {
    let index = "index.html"
    let isIndex = path == index || path.hasSuffix("/" + index)
    paths = ["/" + path] + (isIndex ? ["/" + path.dropLast(index.utf8.count)] : [])
    let type = FileType(path: path)
    var fields: HTTPFields = [
      .contentType: type.contentType, .cacheControl: caching.rawValue,
      .contentSecurityPolicy: Self.contentSecurity(imageHosts: imageHosts),
      // Other sites do not get the addresses of pages here.
      .referrerPolicy: "no-referrer",
    ]
    if type.isCompressible { fields[.vary] = "Accept-Encoding" }
    // A browser that keeps its copy would keep the old policy with it.
    content = StaticContent(
      bytes, fields: fields, tagged: imageHosts.joined(separator: " "),
      isCompressible: type.isCompressible)
  }

  /// Allows a page only files of this server and pictures of the named ones, only scripts in files, and no frame in a
  /// page of another site (Content Security Policy Level 3).
  private static func contentSecurity(imageHosts: [String]) -> String {
    [
      "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'",
      "img-src \((["'self'"] + imageHosts).joined(separator: " "))", "font-src 'self'",
      "manifest-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")
  }
}

/// The type of the content of a file, by the extension of its name.
struct FileType: Sendable {
  /// The value of Content-Type.
  let contentType: String
  /// Whether gzip makes the content smaller. Most images and fonts are compressed already.
  let isCompressible: Bool

  /// Finds the type for a path. Content with an unknown extension is saved by browsers, not shown.
  init(path: String) {
    let name = path.split(separator: "/").last ?? ""
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let known = parts.count > 1 ? parts.last.flatMap { Self.known[$0.lowercased()] } : nil
    self = known ?? FileType("application/octet-stream", isCompressible: false)
  }

  private init(_ contentType: String, isCompressible: Bool) {
    self.contentType = contentType
    self.isCompressible = isCompressible
  }

  /// Returns a type of text, which is UTF-8 in all files.
  private static func text(_ type: String) -> FileType {
    FileType(type + "; charset=utf-8", isCompressible: true)
  }

  private static func packed(_ type: String) -> FileType {
    FileType(type, isCompressible: false)
  }

  private static let script = text("text/javascript")
  private static let json = FileType("application/json", isCompressible: true)

  private static let known: [String: FileType] = [
    "html": text("text/html"), "css": text("text/css"), "js": script, "mjs": script,
    "txt": text("text/plain"), "md": text("text/markdown"), "xml": text("text/xml"),
    "json": json, "map": json,
    "webmanifest": FileType("application/manifest+json", isCompressible: true),
    "svg": FileType("image/svg+xml", isCompressible: true),
    "wasm": FileType("application/wasm", isCompressible: true),
    "ico": FileType("image/x-icon", isCompressible: true),
    "png": packed("image/png"), "jpg": packed("image/jpeg"), "jpeg": packed("image/jpeg"),
    "gif": packed("image/gif"), "webp": packed("image/webp"), "avif": packed("image/avif"),
    "woff": packed("font/woff"), "woff2": packed("font/woff2"), "pdf": packed("application/pdf"),
  ]
}

extension HTTPField.Name {
  fileprivate static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
}

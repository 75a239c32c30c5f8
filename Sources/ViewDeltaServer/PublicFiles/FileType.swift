/// What kind of content a file has, by the extension of its name.
struct FileType: Sendable {
  /// The value of Content-Type.
  let contentType: String
  /// Whether gzip makes it smaller; images and fonts are compressed already.
  let isCompressible: Bool

  /// An extension that is not known stands for bytes that a browser saves and does not show.
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

  /// All text is UTF-8, as it is in documents of the API.
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

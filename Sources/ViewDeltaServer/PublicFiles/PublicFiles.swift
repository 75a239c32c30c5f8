import MicroHTTP
import Pages
package import ViewState

/// The files of a directory that a server serves at `/`: a page for browsers and the files that it needs.
///
/// ```swift
/// configuration.publicFiles = try PublicFiles(directory: "Public")
/// ```
///
/// All files are read when the value is created, so no path of a request reaches the file system.
package struct PublicFiles: Sendable {
  private let files: [PublicFile]
  /// The entries that are not served, by their paths in the directory, with the reasons, in the order of the
  /// paths.
  package let skipped: [(path: String, reason: SkipReason)]
  /// The reason why the files that `index.html` names are not joined, so that the page works but loads slowly; `nil`
  /// if they are joined.
  package let unjoined: String?

  /// The names that are reserved for the API, so that no file at the top of the directory may have them.
  static let reservedNames: Set<String> = ["v1", "healthz", "readyz", "metrics", "openapi.json"]

  /// Reads a directory with its subdirectories. Entries whose names begin with a dot are private and ignored.
  ///
  /// Only regular files are read and no symbolic link is followed; other entries are ``skipped``. The
  /// directory itself may be a link.
  ///
  /// - Parameters:
  ///   - directory: The path of the directory.
  ///   - imageHosts: The other servers whose pictures a page may show, which become sources in its
  ///     Content-Security-Policy.
  /// - Precondition: No image host is an IPv6 address, which a policy cannot name.
  /// - Throws: ``PublicFilesError`` if the directory cannot be read, has more than 1,000 entries, 32 MiB or 16 levels,
  ///   or has an entry at its top with a name that is reserved for the API.
  /// - Complexity: O(*n* log *n* + *m*), where *n* is the number of entries and *m* the size of the files.
  package init(
    directory: String, imageHosts: Set<WebHost> = []
  ) throws(PublicFilesError) {
    guard !imageHosts.contains(where: \.isIPv6) else {
      fatalError("a policy cannot name an IPv6 address")
    }
    var reader = try DirectoryReader(directory)
    try reader.readAll()
    skipped = reader.skipped
    let sources = Dictionary(
      reader.files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { first, _ in first })
    var page: JoinedPage?
    do throws(JoiningError) {
      page = try JoinedPage(sources: sources)
      unjoined = nil
    } catch {
      unjoined = error.reason
    }
    let imageHosts = imageHosts.map(\.description).sorted()
    files =
      reader.files.map { path, bytes in
        let bytes = path == JoinedPage.path ? page?.bytes ?? bytes : bytes
        return PublicFile(path: path, bytes: bytes, imageHosts: imageHosts)
      }
      + (page?.files ?? []).map { path, bytes in
        PublicFile(path: path, bytes: bytes, imageHosts: imageHosts, caching: .forever)
      }
  }

  /// The paths at which files are served.
  package var paths: [String] { files.flatMap(\.paths) }

  /// Adds a route for each file, and for an `index.html` also one at the path of its directory.
  func register(in router: inout Router) {
    for file in files {
      for path in file.paths { router.get(path, file.content.reply) }
    }
  }
}

/// The reason why a directory of public files is not served.
package enum PublicFilesError: Error, Equatable {
  /// The directory cannot be read.
  case unreadable(reason: String)
  /// An entry cannot be served. Its path is relative to the directory, and empty for the whole directory.
  case unacceptable(path: String, reason: String)
}

/// The reason why an entry of a directory of public files is not served.
package enum SkipReason: String, Sendable {
  /// The entry is a symbolic link, which may lead out of the directory.
  case symbolicLink = "a symbolic link"
  /// The entry is a FIFO, a socket or a device, which could block a reader for ever.
  case specialFile = "neither a file nor a directory"
  /// The process may not read the entry, or it was removed while the directory was read.
  case unreadable = "it cannot be read"
  /// The name is not UTF-8, or has braces, with which the router marks parameters.
  case unroutable = "its name cannot be a part of a path"
}

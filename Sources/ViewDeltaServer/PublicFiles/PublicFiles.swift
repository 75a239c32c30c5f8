import MicroHTTP

/// The files that a server offers at `/` and below: a page for browsers and what it needs.
///
/// All of them are read when this is made, so a request can only name what was found then: no path of
/// a request ever reaches the file system.
public struct PublicFiles: Sendable {
  private let files: [PublicFile]
  /// What was passed over, by its path in the directory, and why, in the order of the paths.
  public let skipped: [(path: String, reason: SkipReason)]

  /// What belongs to the API, now or some day: files of these names could never be asked for.
  static let reservedNames: Set<String> = ["v1", "healthz", "readyz", "metrics", "openapi.json"]

  /// Reads a directory and all below it. Names that begin with a dot are private and left out.
  ///
  /// Only regular files are read and no symbolic link is followed; other things are ``skipped``. The
  /// directory itself may be a link.
  ///
  /// - Parameters:
  ///   - directory: The path of the directory.
  ///   - limits: How much it may hold.
  /// - Throws: `PublicFilesError` where the directory cannot be read, is larger than the limits, or
  ///   has a name at its top that belongs to the API.
  /// - Complexity: O(n log n), where n is the number of names, beside what is read and compressed.
  public init(
    directory: String, limits: PublicFilesLimits = PublicFilesLimits()
  ) throws(PublicFilesError) {
    var reader = try DirectoryReader(directory, limits: limits)
    try reader.readAll()
    files = reader.files
    skipped = reader.skipped
  }

  /// The paths at which a file is served.
  public var paths: [String] { files.flatMap(\.paths) }

  /// Offers each file at its path, and an `index.html` also at the path of its directory.
  func register(in router: inout Router) {
    for file in files {
      for path in file.paths { router.get(path, file.reply) }
    }
  }
}

import Glibc

/// Reads a directory and all below it into memory, without ever leaving it.
///
/// Each name is opened from the descriptor of its own directory, never by a whole path, so nobody can
/// slip a symbolic link in between. Nothing that could make a reader wait is opened for reading.
struct DirectoryReader: ~Copyable {
  private let root: Int32
  private let limits: PublicFilesLimits
  /// The files read so far, in the order of their paths.
  private(set) var files: [PublicFile] = []
  private(set) var skipped: [(path: String, reason: SkipReason)] = []
  private var entryCount = 0
  private var byteCount = 0

  /// Opens the directory.
  init(_ path: String, limits: PublicFilesLimits) throws(PublicFilesError) {
    root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard root >= 0 else { throw .unreadable(reason: Self.reason(errno)) }
    self.limits = limits
  }

  deinit { close(root) }

  /// Reads everything.
  mutating func readAll() throws(PublicFilesError) {
    guard let names = names(in: root) else {
      throw .unreadable(reason: Self.reason(errno))
    }
    for name in names where PublicFiles.reservedNames.contains(name.text ?? "") {
      throw .unacceptable(path: name.text ?? "", reason: "this name belongs to the API")
    }
    try read(names, in: root, prefix: "", depth: 1)
  }

  private mutating func read(
    _ names: [EntryName], in directory: Int32, prefix: String, depth: Int
  ) throws(PublicFilesError) {
    guard depth <= limits.depth else {
      throw .unacceptable(
        path: prefix, reason: "directories may lie \(limits.depth) deep in each other")
    }
    for name in names {
      entryCount += 1
      guard entryCount <= limits.entryCount else {
        throw .unacceptable(path: "", reason: "there are more than \(limits.entryCount) files")
      }
      try read(name, in: directory, path: prefix + name.shown, depth: depth)
    }
  }

  private mutating func read(
    _ name: EntryName, in directory: Int32, path: String, depth: Int
  ) throws(PublicFilesError) {
    guard name.isRoutable else { return skip(path, .unroutable) }
    var status = stat()
    guard fstatat(directory, name.bytes, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      return skip(path, .unreadable)
    }
    switch status.st_mode & S_IFMT {
    case S_IFLNK: return skip(path, .symbolicLink)
    case S_IFREG, S_IFDIR: break
    default: return skip(path, .specialFile)
    }
    // What lies here may be another thing by now: a link is refused, a FIFO does not block.
    let descriptor = openat(
      directory, name.bytes, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return skip(path, .unreadable) }
    defer { close(descriptor) }
    guard fstat(descriptor, &status) == 0 else { return skip(path, .unreadable) }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      guard let bytes = try contents(of: descriptor) else { return skip(path, .unreadable) }
      files.append(PublicFile(path: path, bytes: bytes))
    case S_IFDIR:
      guard let names = names(in: descriptor) else { return skip(path, .unreadable) }
      try read(names, in: descriptor, prefix: path + "/", depth: depth + 1)
    default:
      skip(path, .specialFile)
    }
  }

  private mutating func skip(_ path: String, _ reason: SkipReason) {
    skipped.append((path, reason))
  }

  /// The contents of a file; `nil` where reading fails. One that grows meanwhile is read up to the
  /// limit at most.
  private mutating func contents(of file: Int32) throws(PublicFilesError) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = Glibc.read(file, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
      byteCount += count
      guard byteCount <= limits.byteCount else {
        throw .unacceptable(
          path: "", reason: "the files have more than \(limits.byteCount) bytes")
      }
    }
  }

  /// The names in a directory, sorted, without those that begin with a dot; `nil` where it cannot be
  /// read. The descriptor stays open, and where it stands. No more are read than it takes to know that
  /// there are too many.
  private func names(in directory: Int32) -> [EntryName]? {
    // A descriptor of its own, because closing a stream closes the descriptor below it.
    let own = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard own >= 0 else { return nil }
    guard let stream = fdopendir(own) else {
      close(own)
      return nil
    }
    defer { closedir(stream) }
    var names: [EntryName] = []
    while names.count <= limits.entryCount {
      // The end of the directory and a failure differ in nothing else.
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = EntryName(entry)
      if !name.isPrivate { names.append(name) }
    }
    guard errno == 0 || names.count > limits.entryCount else { return nil }
    return names.sorted { $0.shown < $1.shown }
  }

  private static func reason(_ error: Int32) -> String {
    switch error {
    case ENOENT: "there is no such directory"
    case ENOTDIR: "this is no directory"
    default: "it cannot be read"
    }
  }
}

import Glibc

/// Reads a directory with its subdirectories into memory, and no file outside it.
///
/// Each entry is opened relative to the descriptor of its directory, not by a whole path, so that no directory
/// can be replaced by a symbolic link in between. No file that could block a reader is read.
struct DirectoryReader: ~Copyable {
  /// The limits on the content, which is kept in memory.
  struct Limits {
    /// The number of files and directories.
    var entryCount = 1_000
    /// The size of all files, in bytes.
    var byteCount = 32 * 1024 * 1024
    /// The depth to which directories may be nested.
    var depth = 16
  }

  private let root: Int32
  private let limits: Limits
  /// The files that were read, in the order of their paths.
  private(set) var files: [(path: String, bytes: [UInt8])] = []
  private(set) var skipped: [(path: String, reason: SkipReason)] = []
  private var entryCount = 0
  private var byteCount = 0

  /// Opens the directory.
  init(_ path: String, limits: Limits = Limits()) throws(PublicFilesError) {
    root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard root >= 0 else { throw .unreadable(reason: Self.reason(errno)) }
    self.limits = limits
  }

  deinit { close(root) }

  /// Reads all files.
  mutating func readAll() throws(PublicFilesError) {
    guard let names = names(in: root) else {
      throw .unreadable(reason: Self.reason(errno))
    }
    if let name = names.first(where: { PublicFiles.reservedNames.contains($0.shown) }) {
      throw .unacceptable(path: name.shown, reason: "this name is reserved for the API")
    }
    try read(names, in: root, prefix: "", depth: 1)
  }

  private mutating func read(
    _ names: [EntryName], in directory: Int32, prefix: String, depth: Int
  ) throws(PublicFilesError) {
    guard depth <= limits.depth else {
      throw .unacceptable(
        path: prefix, reason: "directories are nested more than \(limits.depth) levels deep")
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
    // The entry may have been replaced since: a link is refused here, and a FIFO does not block.
    let descriptor = openat(
      directory, name.bytes, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return skip(path, .unreadable) }
    defer { close(descriptor) }
    guard fstat(descriptor, &status) == 0 else { return skip(path, .unreadable) }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      guard let bytes = try contents(of: descriptor) else { return skip(path, .unreadable) }
      files.append((path, bytes))
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

  /// Returns the content of a file; `nil` if reading fails. A file that grows meanwhile is read up to the
  /// limit.
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

  /// Returns the names in a directory, sorted, without those that begin with a dot; `nil` if it cannot be read.
  /// The descriptor remains open, at the same position. Reading ends when there are too many names.
  private func names(in directory: Int32) -> [EntryName]? {
    // A second descriptor, because closing the stream closes it.
    let own = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard own >= 0 else { return nil }
    guard let stream = fdopendir(own) else {
      close(own)
      return nil
    }
    defer { closedir(stream) }
    var names: [EntryName] = []
    while names.count <= limits.entryCount {
      // Only errno distinguishes the end of the directory from a failure.
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
    case ENOENT: "the directory does not exist"
    case ENOTDIR: "it is not a directory"
    default: "it cannot be read"
    }
  }
}

/// A name in a directory, of any bytes but zero and the slash.
private struct EntryName: Sendable {
  /// The bytes, with a zero at the end.
  let bytes: [CChar]

  /// Copies the name from an entry of `readdir`, which is valid until the next call.
  init(_ entry: UnsafeMutablePointer<dirent>) {
    bytes = withUnsafePointer(to: &entry.pointee.d_name) { name in
      let start = UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self)
      return Array(UnsafeBufferPointer(start: start, count: strlen(start) + 1))
    }
  }

  /// The name as text; `nil` if it is not UTF-8.
  var text: String? {
    String(validating: bytes.dropLast().lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The name for people, with a replacement for bytes that are not UTF-8.
  var shown: String {
    String(decoding: bytes.dropLast().lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Whether the name begins with a dot, as do those of the directory itself and of its parent.
  var isPrivate: Bool { bytes[0] == CChar(bitPattern: UInt8(ascii: ".")) }

  /// Whether a route can have the name, in which braces mark parameters.
  var isRoutable: Bool {
    text.map { !$0.utf8.contains(UInt8(ascii: "{")) && !$0.utf8.contains(UInt8(ascii: "}")) }
      ?? false
  }
}

#if SQLite
  import Foundation
  import ViewState

  /// The names of the file of a journal and of its write-ahead log. If a file loses its name, SQLite goes on writing to
  /// the file, which it has open, but no other process finds it.
  struct JournalNames: Sendable {
    private let path: String
    private let log: String
    /// The files that had the names when the journal was opened; `nil` for a name without a file.
    private let files: [File?]

    /// The error of the first check that found a name lost.
    struct Loss: Sendable {
      let error: JournalError
      /// Whether the content of the log was moved to the file since.
      var isLogEmpty = false
    }

    /// A file, which stays equal to itself under another name.
    private struct File: Equatable {
      let device: dev_t
      let number: ino_t
      let byteCount: Int
      let nameCount: Int

      static func == (left: File, right: File) -> Bool {
        left.device == right.device && left.number == right.number
      }

      /// Finds the file with a name, also if the name is a link.
      init?(_ name: String) {
        var status = stat()
        guard stat(name, &status) == 0 else { return nil }
        (device, number) = (status.st_dev, status.st_ino)
        (byteCount, nameCount) = (Int(status.st_size), Int(status.st_nlink))
      }
    }

    /// Notes the files of an open journal.
    init(of path: String) {
      self.path = path
      // SQLite puts the log beside the file itself, not beside a link to it.
      log = "\(JournalFile.realPath(path))-wal"
      files = [File(path), File(log)]
    }

    /// The size of the files that have the names now, in bytes; `nil` if there is no such file.
    var byteCount: Int? {
      let files = [path, log].compactMap { File($0) }
      return files.isEmpty ? nil : files.reduce(0) { $0 + $1.byteCount }
    }

    /// Whether the file of the journal had a second name, by a hard link, when it was opened.
    var hadSecondName: Bool { files[0].map { $0.nameCount > 1 } ?? false }

    /// The error if a file has lost its name; `nil` otherwise.
    var error: JournalError? {
      guard File(path) == files[0] else {
        return .unavailable(
          "\(path): the file was removed, moved or replaced; put it back, and restart the server")
      }
      guard File(log) == files[1] else {
        return .unavailable(
          "\(log): the file was removed, moved or replaced; remove any file with its name, and restart the server"
        )
      }
      return nil
    }
  }
#endif

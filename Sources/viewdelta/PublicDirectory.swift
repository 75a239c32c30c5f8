import Foundation
import Logging
import ViewDeltaServer

/// The directory with the page for browsers.
struct PublicDirectory {
  let path: String

  /// The one of the option, or else the one in the working directory, if it is there.
  init?(option: String?) {
    var isDirectory: ObjCBool = false
    let isThere = FileManager.default.fileExists(
      atPath: Self.standard, isDirectory: &isDirectory)
    if let option {
      path = option
    } else if isThere, isDirectory.boolValue {
      path = Self.standard
    } else {
      return nil
    }
  }

  /// Where the page is unless another place is named.
  private static let standard = "Public"

  /// Reads the files, and logs what was passed over.
  ///
  /// - Throws: `StartError` naming the option, the directory, and the place and kind of the fault.
  func load(logger: Logger) throws(StartError) -> PublicFiles {
    let files: PublicFiles
    do throws(PublicFilesError) {
      files = try PublicFiles(directory: path)
    } catch {
      switch error {
      case .unreadable(let reason): throw .unreadable("--public", path, reason)
      case .unacceptable(let place, let reason):
        throw .malformed("--public", path, at: place.isEmpty ? "all of it" : place, reason)
      }
    }
    for (name, reason) in files.skipped {
      logger.warning(
        "not served", metadata: ["file": "\(name)", "reason": "\(reason.rawValue)"])
    }
    return files
  }
}

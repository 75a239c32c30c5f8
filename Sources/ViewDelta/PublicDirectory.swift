import Foundation
import Logging
import ViewDeltaServer
import ViewState

/// The directory of the web page.
struct PublicDirectory {
  let path: String

  /// Selects the directory of the option or else the one in the working directory. Returns nil if
  /// there is neither.
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

  /// The directory that is used without the option.
  private static let standard = "Public"

  /// Reads the files and logs which ones are not served.
  ///
  /// - Parameter imageHosts: The other servers whose pictures the page may show.
  /// - Throws: `StartError` that names the option, the directory, the location and the error.
  func load(imageHosts: Set<WebHost>, logger: Logger) throws(StartError) -> PublicFiles {
    let files: PublicFiles
    do throws(PublicFilesError) {
      files = try PublicFiles(directory: path, imageHosts: imageHosts)
    } catch {
      switch error {
      case .unreadable(let reason): throw .unreadable("--public", path, reason)
      case .unacceptable(let place, let reason):
        throw .malformed("--public", path, at: place.isEmpty ? "the directory" : place, reason)
      }
    }
    for (name, reason) in files.skipped {
      logger.warning(
        "a file is not served", metadata: ["file": "\(name)", "reason": "\(reason.rawValue)"])
    }
    if let reason = files.unjoined {
      logger.notice("the page's files are not joined", metadata: ["reason": "\(reason)"])
    }
    return files
  }
}

import Foundation
import Logging
import ViewDeltaServer
import ViewState

extension PublicFiles {
  /// The directory that is read without the option.
  private static let standard = "Public"

  /// Reads the directory of the option, or else the one in the working directory, and logs which files are not served.
  ///
  /// - Parameter imageHosts: The other servers whose pictures the page may show.
  /// - Returns: `nil` if there is neither.
  /// - Throws: `StartError` that names the option, the directory, the location and the error.
  static func load(
    option: String?, imageHosts: Set<WebHost>, logger: Logger
  ) throws(StartError) -> PublicFiles? {
    var isDirectory: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: standard, isDirectory: &isDirectory)
    guard let path = option ?? (isThere && isDirectory.boolValue ? standard : nil) else {
      return nil
    }
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

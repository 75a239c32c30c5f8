import Glibc

/// The open descriptors of this process.
public enum OpenDescriptors {
  /// How many there are.
  public static func count() -> Int {
    guard let directory = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    return count
  }
}

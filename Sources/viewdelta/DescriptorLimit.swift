import Glibc

/// How many files and connections the process may have open at once (`RLIMIT_NOFILE`).
enum DescriptorLimit {
  /// What is left for everything but clients: the listening socket, files read at the start, standard
  /// streams, and two for each serving thread.
  private static func reserve(threads: Int) -> Int { 32 + 2 * threads }

  /// Raises the limit as far as the process may, and says how many connections fit below it. More
  /// clients wait in the backlog instead of making the process run out of descriptors.
  static func connections(atMost wanted: Int, threads: Int) -> Int {
    let reserve = reserve(threads: threads)
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return wanted }
    let needed = min(rlim_t(wanted + reserve), limit.rlim_max)
    if limit.rlim_cur < needed {
      var raised = limit
      raised.rlim_cur = needed
      if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
    }
    return max(1, min(wanted, Int(clamping: limit.rlim_cur) - reserve))
  }
}

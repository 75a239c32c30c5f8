#if SQLite
  import Foundation
  import Testing

  /// Runs a closure while no file of this process may grow beyond a size, as on a full disk.
  func withFileSizeLimit(_ byteCount: rlim_t, _ body: () -> Void) {
    let handler = signal(SIGXFSZ, SIG_IGN)
    let size = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    var limits = rlimit()
    #expect(getrlimit(size, &limits) == 0)
    var low = limits
    low.rlim_cur = byteCount
    #expect(setrlimit(size, &low) == 0)
    defer {
      setrlimit(size, &limits)
      signal(SIGXFSZ, handler)
    }
    body()
  }
#endif

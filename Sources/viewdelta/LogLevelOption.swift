import ArgumentParser
import Logging

/// A level on the command line, by the names of swift-log.
enum LogLevelOption: String, CaseIterable, ExpressibleByArgument {
  case trace
  case debug
  case info
  case notice
  case warning
  case error
  case critical

  var level: Logger.Level {
    switch self {
    case .trace: .trace
    case .debug: .debug
    case .info: .info
    case .notice: .notice
    case .warning: .warning
    case .error: .error
    case .critical: .critical
    }
  }
}

import HTTPTypes

/// What a browser is told to refuse, whatever finds its way into a page, beside what every reply says.
enum BrowserPolicy {
  /// The page lives on what this server serves alone, runs no script that is not a file of its own,
  /// and stands in no frame of another site (Content Security Policy Level 3).
  private static let contentSecurity = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'",
    "img-src 'self'", "font-src 'self'", "manifest-src 'self'", "base-uri 'none'",
    "form-action 'none'", "frame-ancestors 'none'",
  ]

  /// The fields of every public file.
  static let fields: HTTPFields = [
    name("Content-Security-Policy"): contentSecurity.joined(separator: "; "),
    // No other site learns what was looked at here.
    name("Referrer-Policy"): "no-referrer",
  ]

  private static func name(_ text: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is no field name") }
    return name
  }
}

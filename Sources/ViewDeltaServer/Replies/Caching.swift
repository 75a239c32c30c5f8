/// What caches may do with an answer: a value of Cache-Control (RFC 9111, section 5.2).
enum Caching: String, Sendable {
  /// It says what was so at one moment.
  case never = "no-store"
  /// It may be kept, and used again after the server has said that it still holds.
  case revalidate = "no-cache"
  /// It names both ends, so it is right for whoever asks from the same one, only soon no longer the
  /// newest. For one second it spares the server all equal polls but one.
  case briefly = "public, max-age=1"
  /// Its address names the revisions it speaks of, and their bytes never change.
  case forGood = "public, max-age=31536000, immutable"
}

import CanonicalJSON
import Snapshots
import Synchronization

/// Replaces each letter and digit of texts by another one, which follows from a random key and from the letters before
/// it in its word.
///
/// Equal words stay equal, different words stay different, and words that begin alike still begin alike. A letter
/// becomes one of its kind, so that lengths and capitals stay. Other characters, such as spaces, stay. The order of
/// texts changes.
///
/// Crypto-PAn does this with the bits of IP addresses (Xu, Fan, Ammar and Moon, "Prefix-Preserving IP Address
/// Anonymization", ICNP 2002).
///
/// ```swift
/// let texts = TextSubstitution()
/// texts.replacing("Ada Lovelace, Ada Byron")  // such as "Qxe Hkwmbzor, Qxe Uvtsa"
/// ```
final class TextSubstitution: Sendable {
  private let key: [UInt8]
  /// The words that were replaced.
  private let words = Mutex<[Text: String]>([:])
  /// The letters of the kinds that were in words: to find them takes longer than to shuffle them.
  private let kinds = Mutex<[LetterKind: [Unicode.Scalar]]>([:])

  private static let wordLimit = 100_000

  /// Creates a substitution; with a random key unless one is given.
  init(key: [UInt8] = (0..<32).map { _ in .random(in: .min ... .max) }) {
    self.key = key
  }

  /// Returns the text that is written in place of another one.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the length of the text.
  func replacing(_ text: Text) -> Text {
    var (result, word) = ("", "")
    for scalar in text.string.unicodeScalars {
      if LetterKind(scalar) != nil {
        word.unicodeScalars.append(scalar)
      } else {
        result += replacingWord(word)
        word = ""
        result.unicodeScalars.append(scalar)
      }
    }
    return Text(result + replacingWord(word))
  }

  private func replacingWord(_ word: String) -> String {
    if word.isEmpty { return "" }
    if let known = words.withLock({ $0[Text(word)] }) { return known }
    var result = String.UnicodeScalarView()
    // The key and the letters so far. A copy goes on with what follows from them.
    var prefix = SHA256()
    prefix.update(key)
    var isLeading = true
    for scalar in word.unicodeScalars {
      if let kind = LetterKind(scalar) {
        result.append(replacing(scalar, kind, after: prefix, isLeading: isLeading))
      }
      prefix.update(Array(String(scalar).utf8))
      isLeading = isLeading && scalar == "0"
    }
    let replaced = String(result)
    words.withLock { words in
      if words.count == Self.wordLimit { words = [:] }
      words[Text(word)] = replaced
    }
    return replaced
  }

  /// - Parameter isLeading: Whether there are only zeros before the letter.
  private func replacing(
    _ scalar: Unicode.Scalar, _ kind: LetterKind, after prefix: SHA256, isLeading: Bool
  ) -> Unicode.Scalar {
    // A number goes on to begin with as many zeros: `0` and `00` begin phone numbers of two kinds.
    let isLeadingDigit = kind.isDigit && isLeading
    if isLeadingDigit && scalar == "0" { return scalar }
    var letters = self.letters(of: kind)
    if isLeadingDigit { letters.removeAll { $0 == "0" } }
    guard let index = letters.firstIndex(of: scalar) else { return scalar }
    var numbers = KeyedNumbers(after: prefix, name: [0] + kind.name)
    letters.shuffle(using: &numbers)
    return letters[index]
  }

  private func letters(of kind: LetterKind) -> [Unicode.Scalar] {
    kinds.withLock { known in
      if let letters = known[kind] { return letters }
      let letters = kind.letters
      known[kind] = letters
      return letters
    }
  }
}

/// The letters of which one may be replaced by another: of one case, block and length in UTF-8.
private struct LetterKind: Hashable {
  private let category: Unicode.GeneralCategory
  private let block: UInt32
  private let byteCount: Int

  private static let blockSize: UInt32 = 256

  /// Returns the kind of a letter, digit or mark; `nil` for other characters.
  init?(_ scalar: Unicode.Scalar) {
    category = scalar.properties.generalCategory
    switch category {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
      break
    default: return nil
    }
    block = scalar.value / Self.blockSize
    byteCount = UTF8.width(scalar)
  }

  var isDigit: Bool { category == .decimalNumber && byteCount == 1 }

  /// Distinguishes the kinds.
  var name: [UInt8] { Array("\(category) \(block) \(byteCount)".utf8) }

  /// All letters of the kind.
  var letters: [Unicode.Scalar] {
    let start = block * Self.blockSize
    return (start..<start + Self.blockSize).compactMap { Unicode.Scalar($0) }.filter { other in
      other.properties.generalCategory == category && UTF8.width(other) == byteCount
    }
  }
}

/// The random numbers that follow from a key and a name: the SHA-256 of the key, the name and a counter.
private struct KeyedNumbers: RandomNumberGenerator {
  /// The hash of the key and the beginning of the name.
  private let prefix: SHA256
  private let name: [UInt8]
  private var counter: UInt8 = 0
  private var bytes: ArraySlice<UInt8> = []

  init(after prefix: SHA256, name: [UInt8]) { (self.prefix, self.name) = (prefix, name) }

  mutating func next() -> UInt64 {
    if bytes.isEmpty {
      counter &+= 1
      var hash = prefix
      hash.update(name + [counter])
      bytes = hash.finalize()[...]
    }
    defer { bytes = bytes.dropFirst(8) }
    return bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// Splits the text of an ES module into tokens, without its comments.
///
/// It does not know the grammar, by which alone a slash after `)`, `}`, `++` or `--` is a division or begins a
/// regular expression. It refuses a line on which that matters.
struct ScriptTokens: ~Copyable {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  /// The number of open braces.
  private var depth = 0
  /// The values of `depth` at which a brace ends an expression in a template.
  private var templateDepths: [Int] = []
  private var tokens: [ScriptToken] = []

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the tokens of a text, whose texts joined with their spaces are the same program.
  ///
  /// - Throws: ``JoiningError`` for a text that it cannot split for certain.
  static func split(_ bytes: [UInt8]) throws(JoiningError) -> [ScriptToken] {
    var reader = ScriptTokens(bytes)
    try reader.readAll()
    return reader.tokens
  }

  private mutating func readAll() throws(JoiningError) {
    if bytes.starts(with: "#!".utf8) { throw failure("begins with #!") }
    // U+2028 and U+2029, which end a line of a script.
    var rest = bytes[...]
    while let start = rest.firstIndex(of: 0xE2) {
      rest = rest[(start + 1)...]
      if rest.starts(with: [0x80, 0xA8]) || rest.starts(with: [0x80, 0xA9]) {
        throw JoiningError("has a line break of another kind")
      }
    }
    while true {
      let space = try skipSpace()
      guard position < bytes.count else { break }
      let (start, line) = (position, line)
      let kind = try readToken()
      let text = String(decoding: bytes[start..<position], as: UTF8.self)
      tokens.append(ScriptToken(kind: kind, text: text, space: space, line: line))
    }
    guard depth == 0, templateDepths.isEmpty else { throw failure("ends within braces") }
  }

  /// Skips space and comments. Returns what is as good: nothing, a space, or a line break.
  private mutating func skipSpace() throws(JoiningError) -> String {
    let start = position
    skipping: while true {
      switch (peek, peek(1)) {
      case (" ", _), ("\t", _), ("\n", _), ("\r", _): advance()
      case ("/", "/"):
        while let next = peek, next != "\n", next != "\r" { advance() }
      case ("/", "*"):
        advance(2)
        while !(peek == "*" && peek(1) == "/") {
          guard peek != nil else { throw failure("ends within a comment") }
          advance()
        }
        advance(2)
      default: break skipping
      }
    }
    let space = bytes[start..<position]
    let isBreak = space.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    return isBreak ? "\n" : space.isEmpty ? "" : " "
  }

  private mutating func readToken() throws(JoiningError) -> ScriptToken.Kind {
    switch peek {
    case let byte? where byte.isInWord:
      while let next = peek, next.isInWord { advance() }
      return .word
    case let quote? where quote == "\"" || quote == "'":
      try skipLiteral(to: quote)
      return .text
    case "`":
      return try readTemplate()
    case "}" where templateDepths.last == depth:
      templateDepths.removeLast()
      return try readTemplate()
    case "/":
      if try isDivision() { break }
      try skipLiteral(to: "/")
      return .text
    case "{": depth += 1
    case "}":
      depth -= 1
      guard depth >= 0 else { throw failure("closes a brace that is not open") }
    case let byte? where !(" "..."~").contains(byte): throw failure("has a rare character in code")
    default: break
    }
    advance()
    return .mark
  }

  /// Skips a string or a regular expression, which ends on its line.
  private mutating func skipLiteral(to end: Unicode.Scalar) throws(JoiningError) {
    var isInClass = false
    repeat {
      if peek == "\\" { advance() }
      advance()
      guard let next = peek, next != "\n", next != "\r" else { throw failure("has an open \(end)") }
      if end == "/", next == "[" || next == "]" { isInClass = next == "[" }
    } while peek != end || isInClass
    advance()
  }

  /// Reads a template, or the rest of one, up to its end or the next expression in it.
  private mutating func readTemplate() throws(JoiningError) -> ScriptToken.Kind {
    advance()
    while let next = peek {
      switch next {
      case "`":
        advance()
        return .text
      case "$" where peek(1) == "{":
        advance(2)
        templateDepths.append(depth)
        return .mark
      case "\\": advance(2)
      default: advance()
      }
    }
    throw failure("ends within a template")
  }

  /// Whether a slash is a division, and does not begin a regular expression.
  private func isDivision() throws(JoiningError) -> Bool {
    guard let last = tokens.last else { return false }
    switch last.kind {
    case .text: return true
    case .word:
      return Self.endInDot(tokens.dropLast()) || !Self.wordsBeforeExpressions.contains(last.text)
    case .mark:
      if last.text == ")" || last.text == "}" || isStep(last) {
        let rest = bytes[(position + 1)...].prefix { $0 != UInt8(ascii: "\n") }
        guard !rest.contains(UInt8(ascii: "/")) else {
          throw failure("has slashes of two meanings")
        }
        return true
      }
      return last.text == "]" || Self.endInDot(tokens[...])
    }
  }

  /// Returns whether the last token is the dot before the name of a member or at the end of a number, not one of `...`.
  private static func endInDot(_ tokens: ArraySlice<ScriptToken>) -> Bool {
    tokens.last?.text == "." && tokens.dropLast().last?.text != "."
  }

  /// Whether the last token is the end of `++` or `--`.
  private func isStep(_ last: ScriptToken) -> Bool {
    (last.text == "+" || last.text == "-") && last.space.isEmpty
      && tokens.dropLast().last?.text == last.text
  }

  private static let wordsBeforeExpressions: Set<String> = [
    "await", "case", "delete", "do", "else", "in", "instanceof", "new", "of", "return", "throw",
    "typeof", "void", "yield",
  ]

  /// The next byte, as a character if it is ASCII; `nil` at the end.
  private var peek: Unicode.Scalar? { peek(0) }

  private func peek(_ distance: Int) -> Unicode.Scalar? {
    position + distance < bytes.count ? Unicode.Scalar(bytes[position + distance]) : nil
  }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<count where position < bytes.count {
      if bytes[position] == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
  }

  private func failure(_ problem: String) -> JoiningError {
    JoiningError("line \(line) \(problem)")
  }
}

/// A part of a script that has no space in it, except in text.
struct ScriptToken: Equatable, Sendable {
  enum Kind {
    /// A name, a keyword or a number.
    case word
    /// A string, a regular expression, or the last part of a template.
    case text
    /// One character of punctuation, or the part of a template before an expression.
    case mark
  }

  let kind: Kind
  let text: String
  /// The space in front of it.
  let space: String
  /// The number of its line in the file.
  let line: Int
}

/// The reason for which files of a page are not joined.
package struct JoiningError: Error, Equatable {
  package let reason: String

  init(_ reason: String) { self.reason = reason }
}

extension Unicode.Scalar {
  fileprivate var isInWord: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "$", "#": true
    default: false
    }
  }
}

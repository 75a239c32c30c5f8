extension JSONValue {
  /// Reads one JSON document (RFC 8259), held to I-JSON (RFC 7493).
  ///
  /// Refused are: bytes that are not well-formed UTF-8, a byte order mark, a name twice in one
  /// object, half a surrogate pair, integers beyond ±2^53, numbers beyond a double, nesting beyond
  /// the limit, and anything but white space after the value. What is accepted reads back from its
  /// canonical encoding as the same value; for that reason a number such as `1e17`, which is
  /// written as an integer beyond ±2^53, is refused like that integer. A number too small for a
  /// double is read as zero. Unlike RFC 7493 §2.1, Unicode's noncharacters are accepted
  /// (Unicode corrigendum 9 allows their interchange).
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of bytes.
  /// - Throws: ``JSONParseError`` with the place of the first fault.
  public init(parsing bytes: [UInt8], limits: JSONLimits = .default) throws(JSONParseError) {
    var parser = JSONParser(bytes: bytes, limits: limits)
    self = try parser.parseDocument()
  }

  /// Reads one JSON document from any collection of bytes; see ``init(parsing:limits:)-([UInt8],_)``.
  public init(
    parsing bytes: some Collection<UInt8>, limits: JSONLimits = .default
  ) throws(JSONParseError) {
    try self.init(parsing: Array(bytes), limits: limits)
  }
}

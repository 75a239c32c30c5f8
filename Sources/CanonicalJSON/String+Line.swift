extension String {
  /// Returns the text with control characters as spaces, cut if it has more Unicode scalars than a limit.
  package func line(upTo limit: Int) -> String {
    var line = String.UnicodeScalarView()
    for scalar in unicodeScalars.prefix(limit) {
      let isControl = [.control, .lineSeparator, .paragraphSeparator].contains(
        scalar.properties.generalCategory)
      line.append(isControl ? " " : scalar)
    }
    if unicodeScalars.dropFirst(limit).first != nil {
      line.removeLast()
      line.append("…")
    }
    return String(line)
  }
}

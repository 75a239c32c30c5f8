import Gzip
import TestSupport
import Testing

@Suite("The reader refuses")
struct RefusalTests {
  static let content = Samples.document(2_000)
  static let file = Gzip.compress(content)

  @Test("empty input")
  func empty() {
    #expect(throws: GzipError.truncated) { try Gzip.decompress([], limit: 10) }
  }

  @Test("a file that is truncated at any byte")
  func cut() {
    for count in 0..<Self.file.count {
      #expect(throws: GzipError.truncated) {
        try Gzip.decompress(Array(Self.file.prefix(count)), limit: 10_000)
      }
    }
  }

  @Test(
    "a truncated file whose content fills the limit or the buffer", arguments: [0, 65_536, 131_072])
  func cutTrailer(size: Int) {
    let file = Gzip.compress(Samples.repetitive(size))
    for missing in 1...8 {
      for limit in [size, size + 1, .max] {
        #expect(throws: GzipError.truncated) {
          try Gzip.decompress(Array(file.dropLast(missing)), limit: limit)
        }
      }
    }
  }

  @Test("a checksum with a flipped bit", arguments: 0..<32)
  func checksum(bit: Int) {
    var file = Self.file
    file[file.count - 8 + bit / 8] ^= 1 << UInt8(bit % 8)
    #expect(throws: GzipError.corrupted("incorrect data check")) {
      try Gzip.decompress(file, limit: 10_000)
    }
  }

  @Test("a length with a flipped bit", arguments: 0..<32)
  func length(bit: Int) {
    var file = Self.file
    file[file.count - 4 + bit / 8] ^= 1 << UInt8(bit % 8)
    #expect(throws: GzipError.corrupted("incorrect length check")) {
      try Gzip.decompress(file, limit: 10_000)
    }
  }

  @Test("anything else after the end", arguments: [[0], [0x1F], [0x1F, 0], Array("tail".utf8)])
  func trailingGarbage(tail: [UInt8]) {
    #expect(throws: GzipError.trailingGarbage(offset: Self.file.count)) {
      try Gzip.decompress(Self.file + tail, limit: 10_000)
    }
  }

  @Test("other formats")
  func otherFormats() {
    for text in ["{}", "{\"kind\":\"snapshot\"}", "\u{78}\u{1}zlib", "PK\u{3}\u{4}"] {
      #expect(throws: GzipError.corrupted("incorrect header check")) {
        try Gzip.decompress(Array(text.utf8), limit: 10)
      }
    }
    #expect(throws: GzipError.corrupted("unknown compression method")) {
      try Gzip.decompress([0x1F, 0x8B, 7] + Self.file.dropFirst(3), limit: 10_000)
    }
  }

  @Test(
    "content that exceeds the limit, even by a single byte", arguments: [1, 1024, 65_536, 200_000])
  func limit(size: Int) throws {
    let file = Gzip.compress(Samples.repetitive(size))
    #expect(try Gzip.decompress(file, limit: size).count == size)
    for limit in [0, size / 2, size - 1] {
      #expect(throws: GzipError.tooLarge(limit: limit)) {
        try Gzip.decompress(file, limit: limit)
      }
    }
  }

  @Test("a decompression bomb")
  func bomb() {
    let bomb = Gzip.compress([UInt8](repeating: 0, count: 64 * 1024 * 1024), level: 9)
    #expect(bomb.count < 70_000)
    #expect(throws: GzipError.tooLarge(limit: 1024 * 1024)) {
      try Gzip.decompress(bomb, limit: 1024 * 1024)
    }
    // Many small members do not evade the limit.
    let small = Gzip.compress([UInt8](repeating: 0, count: 1024))
    let many = Array((0..<1025).map { _ in small }.joined())
    #expect(throws: GzipError.tooLarge(limit: 1024 * 1024)) {
      try Gzip.decompress(many, limit: 1024 * 1024)
    }
  }

  @Test("all changed content in 2,000 files with random faults")
  func mutations() throws {
    try withSeeds(2_000) { random in
      let content = Samples.document(random.number(in: 0...3_000))
      var file = Gzip.compress(content, level: random.pick(Array(Gzip.levels)))
      for _ in 0..<random.number(in: 1...4) { random.mutate(&file) }
      let limit = content.count
      // A fault in the time or the system of a header does not change the content.
      if let result = try? Gzip.decompress(file, limit: limit) {
        try require(result == content, "a file with faults was read as something else")
      }
    }
  }

  @Test("noise after a valid header, without a hang or a crash")
  func noise() throws {
    try withSeeds(500) { random in
      let noise = Samples.random(random.number(in: 0...500), seed: random.next())
      let file = Self.file.prefix(10) + noise
      try require(
        (try? Gzip.decompress(Array(file), limit: 10_000)) == nil, "noise was read as content")
    }
  }

  @Test("with a sentence for people")
  func descriptions() {
    #expect(GzipError.truncated.description == "the gzip data ends too early")
    #expect(GzipError.corrupted("why").description == "the gzip data is corrupt: why")
    #expect(
      GzipError.trailingGarbage(offset: 7).description == "byte 7 of the gzip data follows its end")
    #expect(GzipError.tooLarge(limit: 8).description == "the gzip data holds more than 8 bytes")
  }
}

extension SeededGenerator {
  /// Applies one random fault to a file: changes, inserts, removes, truncates or repeats bytes.
  mutating func mutate(_ file: inout [UInt8]) {
    guard !file.isEmpty else { return file.append(UInt8(truncatingIfNeeded: next())) }
    let index = number(in: 0...(file.count - 1))
    let end = number(in: index...min(file.count, index + 32))
    switch number(in: 0...5) {
    case 0: file[index] ^= 1 << UInt8(number(in: 0...7))
    case 1: file[index] = UInt8(truncatingIfNeeded: next())
    case 2: file.insert(UInt8(truncatingIfNeeded: next()), at: index)
    case 3: file.removeSubrange(index..<end)
    case 4: file.removeSubrange(index...)
    default: file.insert(contentsOf: file[index..<end], at: index)
    }
  }
}

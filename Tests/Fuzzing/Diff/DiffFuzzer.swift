import Snapshots
import TestSupport

/// Decodes two lists from bytes and checks the laws of their difference.
///
/// With `FUZZING` defined, libFuzzer calls `LLVMFuzzerTestOneInput`. Otherwise this is a program
/// that checks random bytes.
enum DiffFuzzer {
  /// Checks the difference of the lists that some bytes encode.
  ///
  /// The first byte is the number of hashes. Each other byte starts a section, switches to the new
  /// list, or is a row from a small range, so that the lists have many rows in common. Ids that a
  /// list has already are skipped, and so are sections that only one list has.
  static func check(_ bytes: UnsafeBufferPointer<UInt8>) throws {
    let hashes = bytes.first.map { Int($0) + 1 } ?? 1
    var lists: [[[Token]]] = [[[]], [[]]]
    var isNew = false
    var seen: Set<Int> = []
    for byte in bytes.dropFirst() {
      switch byte {
      case 255:
        lists[isNew ? 1 : 0].append([])
      case 254:
        if !isNew { seen = [] }
        isNew = true
      default:
        let id = Int(byte & 0x3F)
        guard seen.insert(id).inserted else { continue }
        let last = lists[isNew ? 1 : 0].count - 1
        lists[isNew ? 1 : 0][last].append(
          Token(id: id, content: Int(byte >> 6), hashes: hashes))
      }
    }
    let count = lists.map(\.count).min() ?? 0
    try TokenLists(old: Array(lists[0].prefix(count)), new: Array(lists[1].prefix(count)))
      .checkLaws()
  }
}

#if FUZZING
  /// The entry point of libFuzzer. A violated law ends the process, so that the fuzzer keeps the
  /// input.
  ///
  /// The bytes belong to libFuzzer and are valid during the call, in which the buffer is used.
  @_cdecl("LLVMFuzzerTestOneInput")
  public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
      try DiffFuzzer.check(UnsafeBufferPointer(start: bytes, count: count))
    } catch {
      fatalError("\(error)")
    }
    return 0
  }
#else
  @main
  extension DiffFuzzer {
    static func main() throws {
      try withSeeds(20_000) { random in
        let bytes = (0..<random.number(in: 0...120)).map { _ in
          random.chance(0.05) ? random.pick([254, 255]) : UInt8(random.number(in: 0...253))
        }
        try bytes.withUnsafeBufferPointer { try check($0) }
      }
      print("20,000 inputs, no law broken")
    }
  }
#endif

import Snapshots
import TestSupport

/// Reads two lists from bytes and checks the laws of their difference.
///
/// Under libFuzzer, with `FUZZING` defined, the fuzzer calls `LLVMFuzzerTestOneInput`. Without it
/// this is a program that does the same with random bytes.
enum DiffFuzzer {
  /// The first byte is the number of hashes. Each other one begins a section, goes over to the new
  /// list, or is a row of a small stock, so that the lists have much in common.
  ///
  /// Ids that stand twice in a list are left out, and so are sections that one list does not have.
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
  /// The entry point of libFuzzer; a law that does not hold ends the process, so that the fuzzer
  /// keeps the input.
  ///
  /// The bytes are libFuzzer's and valid for the call, which is as long as the buffer is used.
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

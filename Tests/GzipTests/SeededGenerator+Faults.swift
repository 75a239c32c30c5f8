import TestSupport

extension SeededGenerator {
  /// Does one fault to a file: changes, inserts or removes bytes, cuts it or writes a part twice.
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

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension RandomAccessCollection {
  /// Returns the first index whose element satisfies a condition that all elements behind it
  /// satisfy too, or the end index if there is none.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of elements.
  @inlinable
  package func partitioningIndex(where isBehind: (Element) -> Bool) -> Index {
    var start = startIndex
    var count = self.count
    while count > 0 {
      let half = count / 2
      let middle = index(start, offsetBy: half)
      if isBehind(self[middle]) {
        count = half
      } else {
        start = index(after: middle)
        count -= half + 1
      }
    }
    return start
  }
}

extension Array {
  /// Returns the number of equal elements at the start of both lists, and the number of equal ones
  /// at the end of the rest.
  ///
  /// - Parameter areEqual: Returns whether two elements are equal. A value is equal to its copy.
  func countsOfSameEnds(
    as other: [Element], by areEqual: (Element, Element) -> Bool
  ) -> (head: Int, tail: Int) {
    withUnsafeBytes { oldBytes in
      other.withUnsafeBytes { newBytes in
        let (old, new) = (self, other)
        // Mostly an element is a copy, which has the same bytes: that is seen where it lies, and a call would retain
        // both. Elements of other bytes may still be equal. All places are within the buffers.
        func areSame(_ left: Int, _ right: Int) -> Bool {
          let stride = MemoryLayout<Element>.stride
          let (from, to) = (oldBytes.baseAddress, newBytes.baseAddress)
          if let from, let to, memcmp(from + left * stride, to + right * stride, stride) == 0 {
            return true
          }
          return areEqual(old[left], new[right])
        }
        let shorter = Swift.min(old.count, new.count)
        var head = 0
        while head < shorter, areSame(head, head) { head += 1 }
        var tail = 0
        while tail < shorter - head, areSame(old.count - 1 - tail, new.count - 1 - tail) {
          tail += 1
        }
        return (head, tail)
      }
    }
  }
}

extension [UInt8] {
  /// Returns whether both lists have the same bytes: many at a time, because `==` compares single bytes.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes; O(1) if the lengths differ.
  func hasSameBytes(as other: [UInt8]) -> Bool {
    withUnsafeBytes { left in
      other.withUnsafeBytes { right in
        guard left.count == right.count else { return false }
        // An empty list may have no address.
        guard let left = left.baseAddress, let right = right.baseAddress else { return true }
        return memcmp(left, right, count) == 0
      }
    }
  }

  /// Returns the first index of a byte from a place on, or the end index if there is none.
  ///
  /// - Precondition: The place is in the bounds or their end.
  /// - Complexity: O(*n*), where *n* is the number of bytes between both; many at a time.
  func index(of byte: UInt8, from start: Int) -> Int {
    precondition(start <= count, "the place is in the array")
    return withUnsafeBytes { bytes in
      // Only the bytes from the place to the end are read.
      guard let base = bytes.baseAddress,
        let found = memchr(base + start, Int32(byte), bytes.count - start)
      else { return bytes.count }
      return UnsafeRawPointer(found) - base
    }
  }
}

/// A random number of this process, so that what a table does cannot be foreseen from outside.
@usableFromInline
package enum ProcessKey {
  @usableFromInline package static let value = UInt64.random(in: .min ... .max)
}

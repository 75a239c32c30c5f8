/// How far a walk looks where two lists part. None of it changes what a difference is, only its
/// cost.
@usableFromInline
package enum WalkLimits {
  /// The side of the square of pairs ahead that are tried, and the step after a miss.
  @usableFromInline package static var square: Int { 4 }
  /// How many rows ahead are tried against the next row of the other list.
  @usableFromInline package static var line: Int { 16 }
  /// The misses in a row after which the walk turns to anchors.
  @usableFromInline package static var misses: Int { 4 }
  /// The distance of anchors.
  @usableFromInline package static var anchors: Int { 16 }
  /// How many rows are looked up in the anchors at least before the walk gives up.
  @usableFromInline package static var search: Int { 1_024 }
}

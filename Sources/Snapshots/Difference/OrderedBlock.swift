/// A block of rows that keep their order, as a whole: where it stood, and how many rows it has.
struct OrderedBlock {
  /// The old position of its first row.
  let position: Int
  /// The number of its rows.
  let weight: Int
}

/// A resource that counts towards the store's limit of bytes.
protocol SizedResource {
  /// The size of its texts, in bytes.
  var byteCount: Int { get }
}

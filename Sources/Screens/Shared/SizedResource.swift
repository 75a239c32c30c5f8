/// A resource that counts towards the store's limit of bytes.
public protocol SizedResource: StoredResource {
  /// The size of its texts, in bytes.
  var byteCount: Int { get }
}

/// Why a write to the catalogs was not done. Nothing has changed.
public enum CatalogError: Error, Hashable, Sendable {
  case unknownCatalog(ResourceID)
  case unknownSection(ResourceID)
  case unknownItem(ResourceID)
  /// There is a catalog with this id already.
  case duplicateID(ResourceID)
  /// An operation cannot be done, and so none of the batch was.
  case refused(CatalogFault)
  /// The catalog is not of the version that the caller had read.
  case changedMeanwhile
  /// The store holds as many catalogs, or items in all of them, as it may.
  case full
}

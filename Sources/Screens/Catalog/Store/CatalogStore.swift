public import ViewState

/// The catalogs in memory, each shown by a screen of its own.
public typealias CatalogStore = SharedStore<CatalogData>

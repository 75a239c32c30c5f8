public import ViewState

/// The registry of firms in memory.
public typealias CompanyStore = SharedStore<CompanyData>

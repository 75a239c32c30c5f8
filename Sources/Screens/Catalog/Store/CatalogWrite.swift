public import CanonicalJSON
public import ViewState

/// The catalogs in memory.
public typealias CatalogStore = Store<CatalogData>

/// What clients can do to the catalogs.
public enum CatalogWrite: Codable, Sendable {
  /// Applies operations to a catalog, all of them or none.
  case batch([CatalogOperation], of: ResourceID)
  /// Creates the catalog in a document, with the next free id if it names none.
  case create(JSONValue)
  /// Replaces the catalog of the same id; if a version is given, only that one.
  case replace(Catalog, expecting: Int?)
  case remove(ResourceID, expecting: Int?)

  /// What a write answers.
  public enum Output: Codable, Sendable {
    /// The number of ids that a batch ignored.
    case ignored(Int)
    case catalog(Versioned<Catalog>)
    case done
  }

  /// Why a write is refused.
  public enum Failure: KeyRefusal {
    case store(CatalogData.Failure)
    case batch(CatalogFault)

    public static var reusedKey: Failure { .store(.reusedKey) }
  }
}

extension CatalogData: StoreValue {
  public mutating func apply(
    _ write: CatalogWrite, at time: Timestamp
  ) throws(CatalogWrite.Failure) -> Written<CatalogWrite.Output> {
    let before = version
    switch write {
    case .batch(let operations, let id):
      do throws(CatalogFault) {
        let ignored = try apply(operations, to: id)
        return written(.ignored(ignored), changing: id, since: before)
      } catch {
        throw .batch(error)
      }
    case .create(let body):
      return try storing { (data) throws(Failure) in
        let catalog: Catalog
        do throws(JSONShapeError) {
          catalog = try Catalog(
            JSONReader(body), assigned: data.nextCatalogID, limits: data.limits)
        } catch {
          throw .malformed(error)
        }
        return Written(
          .catalog(try data.insert(catalog)), creating: [catalog.id.text], of: Self.name)
      }
    case .replace(let catalog, let expected):
      return try storing { (data) throws(Failure) in
        let replaced = try data.replace(catalog, expecting: expected)
        return data.written(.catalog(replaced), changing: catalog.id, since: before)
      }
    case .remove(let id, let expected):
      return try storing { (data) throws(Failure) in
        try data.remove(id, expecting: expected)
        return Written(.done, removing: [id.text], of: Self.name)
      }
    }
  }

  /// The name of the store, and of the source in the causes of revisions.
  static var name: Text { "catalogs" }

  private mutating func storing(
    _ write: (inout CatalogData) throws(Failure) -> Written<CatalogWrite.Output>
  ) throws(CatalogWrite.Failure) -> Written<CatalogWrite.Output> {
    do { return try write(&self) } catch { throw .store(error) }
  }

  private func written(
    _ output: CatalogWrite.Output, changing id: ResourceID, since before: Int
  ) -> Written<CatalogWrite.Output> {
    if version == before { return Written(unchanged: output) }
    return Written(output, changing: [id.text], of: Self.name)
  }
}

/// What the REST resources write.
extension CatalogStore {
  /// Does a write to a resource.
  ///
  /// - Throws: The failure of the store; no write but a batch fails otherwise.
  public func resource(
    _ write: CatalogWrite, once key: RequestKey? = nil
  ) async throws(CatalogData.Failure) -> CatalogWrite.Output {
    do throws(CatalogWrite.Failure) {
      return try await self.write(write, once: key)
    } catch {
      switch error {
      case .store(let failure): throw failure
      case .batch(let fault): throw .malformed(fault.shapeError(in: JSONPointer(tokens: [])))
      }
    }
  }
}

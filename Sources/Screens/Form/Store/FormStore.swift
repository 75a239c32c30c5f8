import CanonicalJSON
import Snapshots
public import ViewState

/// The forms in memory, and what has happened with them.
public typealias FormStore = AccountStore<FormSchema>

extension FormStore {
  /// How many entries a page has.
  static var pageSize: Int { 20 }

  /// - Parameter latency: how long the work of a source takes where no fault script says otherwise.
  public convenience init(
    data: FormData, scheduler: any Scheduler, latency: [FormSource.Name: Duration] = [:]
  ) {
    self.init(data: data, scheduler: scheduler, latency: latency) { $0 }
  }

  /// Loads a page of what has happened with a form.
  ///
  /// - Parameter deliver: is called once under the store's lock; it may do no more than post. So it
  ///   is for the next two.
  func loadActivity(
    _ request: PageRequest<ActivityEntry.Position>, of form: ResourceID,
    deliver: @escaping @Sendable (Result<Page<ActivityEntry>, LoadFailure>) -> Wake
  ) -> any Cancellable {
    base.load(.activity, of: form, deliver: deliver) { data in
      Loadable.loaded(data.entries(of: form)).unwrap()
        .map { Page(request, of: $0, size: Self.pageSize) }
    }
  }

  /// Looks up who has a tax number.
  func loadCompanies(
    with number: TaxNumber, in registry: CompanyStore, for form: ResourceID,
    deliver: @escaping @Sendable (Result<[Company], LoadFailure>) -> Wake
  ) -> any Cancellable {
    base.load(.registry, of: form, deliver: deliver) { _ in
      .loaded(registry.value.companies(with: number))
    }
  }

  /// Sends the answers to a form: they become an entry of what has happened with it.
  ///
  /// - Parameter now: the entry's date.
  func submit(
    _ answers: JSONValue, to form: ResourceID, now: @escaping @Sendable () -> Timestamp,
    deliver: @escaping @Sendable (Result<ResourceID, LoadFailure>) -> Wake
  ) -> any Cancellable {
    base.perform(.submission, of: form, deliver: deliver) { data throws(Failure) in
      let title = try data.holder(form).resource.title
      let entry = ActivityEntry(
        id: data.freeEntryID(of: form), date: now(), text: title.followed(by: ": sent"),
        answers: answers)
      _ = try data.insert(entry, of: form)
      return (entry.id, [.entries(data.entries(of: form) ?? [])])
    }
  }
}

extension Text {
  /// This title with more behind it, and cut where it would be longer than a text that clients write.
  fileprivate func followed(by end: String) -> Text {
    if byteCount + end.utf8.count <= JSONReader.longestShownText { return "\(self)\(end)" }
    let end = "…" + end
    var bytes = utf8.prefix(JSONReader.longestShownText - end.utf8.count)
    while String(bytes) == nil { bytes.removeLast() }
    return "\(Substring(bytes))\(end)"
  }
}

public import CanonicalJSON
public import ViewState

extension FormScreen {
  public func start(
    _ source: FormSource, _ token: LoadToken, for key: Text, into inbox: Inbox<FormAction>
  ) -> any Cancellable {
    let form = ResourceID(named: key)
    switch source {
    case .registry(let row, let number):
      return store.loadCompanies(with: number, in: companies, for: form) { result in
        inbox.post(.lookup(row: row, LookupAction(result, token)))
      }
    case .submission(let answers):
      return store.submit(answers, to: form, now: now) { result in
        inbox.post(.submission(LookupAction(result, token)))
      }
    case .activity(let request):
      return activity.start(
        request, token, for: key, into: inbox.wrapping { .activity($0) })
    }
  }

  public func action(
    forFailed source: FormSource, _ token: LoadToken, _ failure: LoadFailure
  ) -> FormAction {
    switch source {
    case .registry(let row, _): .lookup(row: row, .failed(failure, token))
    case .submission: .submission(.failed(failure, token))
    case .activity: .activity(.failed(failure, token))
    }
  }

  public func subscribe(
    to key: Text, showing state: FormState, inbox: Inbox<FormAction>
  ) -> (any Cancellable)? {
    store.subscribe(to: state.form.id, showing: state.form) { change in
      switch change {
      case .holder(let form): inbox.post(.form(form))
      case .entries(let entries): inbox.post(.activity(.changed(entries)))
      case .removed: inbox.postRemoval()
      }
    }
  }
}

extension LookupAction {
  /// What a look-up ended in.
  fileprivate init(_ result: Result<Value, LoadFailure>, _ token: LoadToken) {
    switch result {
    case .success(let value): self = .found(value, token)
    case .failure(let failure): self = .failed(failure, token)
    }
  }
}

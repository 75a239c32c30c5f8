public import CanonicalJSON
public import ViewState

/// What can happen to the form screen.
public enum FormAction: Sendable {
  /// A user did something with a row.
  case event(RowEvent)
  /// Somebody arranges the rows anew.
  case apply([FormOperation])
  /// Somebody wants the answers sent.
  case submit
  /// Somebody calls the sending off.
  case cancelSubmit
  /// Somebody wants to start over.
  case reset
  /// Something happened to what a row looks up.
  case lookup(row: ResourceID, LookupAction<TaxNumber, [Company]>)
  /// Something happened to what is being sent.
  case submission(LookupAction<JSONValue, ResourceID>)
  /// Something happened to the list of what has happened with the form.
  case activity(PagingAction<ActivityEntry>)
  /// A write changed the form's description.
  case form(Form)
}

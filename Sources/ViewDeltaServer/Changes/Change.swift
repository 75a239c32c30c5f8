import CanonicalJSON
import HTTPTypes
import MicroHTTP
import ViewState

/// What there is to tell a client about one view model, in whatever form.
enum Change: Sendable {
  /// Everything, to a client that holds nothing.
  case whole(Revision)
  /// Nothing: the client holds what this revision shows, and it is the current one as far as is
  /// known.
  case nothing(since: Revision)
  /// What changed between two revisions. The name is what the client calls the older one; `nil`
  /// where that is its token.
  case diff(from: Revision, to: Revision, named: Text?)
  /// Everything, to a client whose revision cannot be diffed.
  case reset(Revision, ResetReason)

  /// The revision that the client holds once it has been told.
  var revision: Revision {
    switch self {
    case .whole(let revision), .nothing(let revision), .diff(_, let revision, _),
      .reset(let revision, _):
      revision
    }
  }

  /// Refuses a reset.
  ///
  /// - Throws: a 410 problem in place of a reset.
  func refusingReset() throws(ProblemDetails) {
    guard case .reset(_, let reason) = self else { return }
    throw .revisionExpired(reason, fields: [.preferenceApplied: "handling=strict"])
  }
}

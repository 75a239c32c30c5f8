import CanonicalJSON
import MicroHTTP
import ViewState

/// A revision as a client names it: well-formed, and known or not.
struct RevisionName: Hashable, Sendable {
  let text: Text
  /// What this server means by it; `nil` for a name that it does not write.
  private let token: RevisionToken?

  init(text: Text) {
    self.text = text
    token = RevisionToken(text.string)
  }

  /// The name of a revision of this server.
  init(_ token: RevisionToken) {
    text = Text(token.description)
    self.token = token
  }

  /// Why the name leads to no revision.
  struct Unknown: Error {
    let reason: ResetReason
  }

  /// Whether the name is of the screen's own history, kept or not.
  func isOf(_ screen: any ScreenInstance) -> Bool { token?.epoch == screen.epoch }

  /// Finds the revision, or why there is none: an unknown name is never guessed at.
  func lookup(
    in screen: any ScreenInstance, _ registry: ScreenRegistry
  ) -> Result<Revision, Unknown> {
    // A name that this server does not write is of a server of another make, so of another run.
    guard let token else { return .failure(Unknown(reason: .epochChanged)) }
    switch screen.lookup(token) {
    case .kept(let revision): return .success(revision)
    case .expired: return .failure(Unknown(reason: .historyExpired))
    case .future: return .failure(Unknown(reason: .futureRevision))
    case .foreign:
      let isOtherScreen = registry.contains(token.epoch)
      return .failure(Unknown(reason: isOtherScreen ? .otherScreen : .epochChanged))
    }
  }
}

extension Request {
  /// The revision in a query parameter.
  ///
  /// - Throws: a 400 problem where it is empty, given twice, or not `[A-Za-z0-9._-]{1,64}`.
  func revision(_ parameter: String) throws(ProblemDetails) -> RevisionName? {
    guard let text = try query.single(parameter) else { return nil }
    guard RevisionToken.isWellFormed(text) else {
      throw .badParameter("\(parameter) is not a revision: 1 to 64 of A-Z a-z 0-9 . _ -")
    }
    return RevisionName(text: Text(text))
  }
}

/// What answers the requests of one method and path.
typealias Handler = @Sendable (Request) throws(ProblemDetails) -> Reply

// What a package needs that writes screens and serves them: `import ViewDelta` is enough.
@_exported public import CanonicalJSON
@_exported public import HTTPTypes
@_exported public import MicroHTTP
@_exported public import Snapshots
@_exported public import ViewDeltaServer
@_exported public import ViewState

// Exports the client, whose module ConnectCore does not need Foundation.
@_exported public import ConnectCore

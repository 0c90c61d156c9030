// Exports the client. ConnectCore is a separate module, because it does not need Foundation.
@_exported public import ConnectCore

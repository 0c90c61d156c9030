// Exports ConnectCore, which contains the client and does not need Foundation.
@_exported public import ConnectCore

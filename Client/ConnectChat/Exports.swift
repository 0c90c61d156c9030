@_exported public import ConnectCore

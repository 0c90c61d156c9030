// The client itself. It stands in a module without Foundation, so that a program that talks through it need not load that.
@_exported public import ConnectCore

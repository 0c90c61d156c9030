public import PolyMessaging

/// The client's configuration, under a name that does not clash with the server's `Configuration`.
public typealias ClientConfiguration = Configuration

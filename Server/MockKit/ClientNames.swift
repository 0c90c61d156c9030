public import PolyMessaging

/// The client's configuration, named to avoid a clash with the server's `Configuration`.
public typealias ClientConfiguration = Configuration

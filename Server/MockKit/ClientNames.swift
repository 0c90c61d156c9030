public import PolyMessaging

/// The client's configuration. The server has a type `Configuration` too.
public typealias ClientConfiguration = Configuration

public import PolyMessaging

/// Both sides have a `Configuration`; this is the client's.
public typealias ClientConfiguration = Configuration

import PolyMessaging

/// Both sides have a `Configuration`; this is the client's.
typealias ClientConfiguration = Configuration

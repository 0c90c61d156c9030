import MockServer

/// Both sides have a `Configuration`; this is the server's.
typealias ServerConfiguration = Configuration

import MockServer

/// The SDK has a type of the same name.
typealias ServerConfiguration = Configuration

public import MockServer

/// The settings of a mock's server, for files that import no more than the kit.
public typealias ServerSettings = ServerConfiguration

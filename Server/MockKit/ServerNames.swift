public import MockServer

/// The settings of a mock's server, for test files that do not import `MockServer`.
public typealias ServerSettings = ServerConfiguration

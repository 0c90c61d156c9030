package import Clocks

/// Bounds of requests and WebSockets, in addition to those of `HTTPClient`. Each is crossed by a test.
extension Limits {
    /// Until the answer to a request is complete, or a WebSocket is open, dialling included. 30 s: a slow
    /// mobile network needs a few.
    package static let exchangeTimeout = Interval.seconds(30)
    /// The body of a REST answer. 1 MiB: the real ones have a few hundred bytes.
    package static let responseBytes = 1 << 20
    /// Redirects of one REST request that are followed. 3: a proxy and a slash need two.
    package static let maxRedirects = 3
    /// Characters of a redirect's address in an error.
    package static let shownLocation = 200
    /// One incoming WebSocket message. 16 MiB: the history of a long session in one batch.
    package static let incomingMessageBytes = 16 << 20
    /// Reported bytes of one connection that the client has not dealt with; above it the socket is not read until half
    /// of them are. 512 KiB: a second of the fastest talk, and no more memory than a picture.
    package static let unhandledBytes = 512 << 10
}

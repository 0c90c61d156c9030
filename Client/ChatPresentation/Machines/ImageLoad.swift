/// Loading state of one remote picture, for any view that shows it.
///
/// | phase | shown | next |
/// | --- | --- | --- |
/// | `empty` | the placeholder: there is no safe address | another address |
/// | `loading` | the placeholder, moving | `shown` or `failed` |
/// | `shown` | the picture | another address |
/// | `failed` | a button to try again | `loading`, by a tap |
///
/// Results of an earlier attempt, such as that of a reused cell, change nothing.
///
/// ```swift
/// var load = ImageLoad()
/// if let request = load.show(address) { fetch(request) }    // then load.finish(request, succeeded: true)
/// ```
public struct ImageLoad: Equatable, Sendable {
    /// Phase of a picture.
    public enum Phase: String, Equatable, Sendable {
        /// No address, or one that must not be loaded.
        case empty
        case loading
        case shown
        case failed
    }

    /// One attempt to load a picture.
    public struct Request: Hashable, Sendable {
        /// The address of the picture.
        public let address: String
        /// The number of the attempt, different for each request of an ``ImageLoad``.
        public let attempt: Int
    }

    /// The phase of the picture.
    public private(set) var phase = Phase.empty
    /// The current attempt; nil without an address.
    public private(set) var request: Request?
    private var attempts = 0

    /// Makes the state of a view without a picture.
    public init() {}

    /// Sets the picture. Returns the request to make; nil for the present picture, or without a safe address.
    public mutating func show(_ address: String?) -> Request? {
        let safe = address.flatMap(SafeAddress.picture)
        if let safe, safe == request?.address { return nil }
        guard let safe else {
            (phase, request) = (.empty, nil)
            return nil
        }
        return begin(safe)
    }

    /// Applies the result of a request.
    public mutating func finish(_ request: Request, succeeded: Bool) {
        guard request == self.request, phase == .loading else { return }
        phase = succeeded ? .shown : .failed
    }

    /// Returns the request for a tap on the picture; nil unless the picture failed.
    public mutating func retry() -> Request? {
        guard phase == .failed, let address = request?.address else { return nil }
        return begin(address)
    }

    private mutating func begin(_ address: String) -> Request {
        attempts += 1
        let request = Request(address: address, attempt: attempts)
        (phase, self.request) = (.loading, request)
        return request
    }
}

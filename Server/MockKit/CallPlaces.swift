import Clocks
import MockServer
import Texts
import Timeline

/// Where the test made the calls that threw.
struct CallPlaces: Sendable {
    private var thrown: [(text: String, site: CallSite)] = []

    /// The newest call first.
    mutating func add(_ error: any Error, at site: CallSite) {
        // What a call made of another call throws has its place already.
        let text = "\(error)"
        thrown.removeAll { $0.text == text }
        thrown.insert((text, site), at: 0)
        if thrown.count > Limits.thrownErrors { thrown.removeLast() }
    }

    func site(of text: String) -> CallSite? { thrown.first { $0.text == text }?.site }

    /// The newest error whose words are part of `text`, for libraries that tell errors by a text of their own.
    func quoted(in text: String) -> (words: String, site: CallSite)? {
        thrown.first { !$0.text.isEmpty && text.holds($0.text) }.map { ($0.text, $0.site) }
    }
}

extension Mock {
    /// Performs a call of the kit, and remembers where the test made it when it throws: the error itself stays what it
    /// is, so that a test can catch it.
    func at<Result>(
        _ site: CallSite, isolation: isolated (any Actor)? = #isolation, _ call: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await call()
        } catch {
            if !(error is CancellationError) { remember(error, at: site) }
            throw error
        }
    }

    /// Where the test made the call that threw `error`; nil for errors of its own.
    package func site(of error: any Error) -> CallSite? { callPlaces.site(of: "\(error)") }

    /// The same for a text that quotes the error.
    package func site(quotedIn text: String) -> (words: String, site: CallSite)? {
        callPlaces.quoted(in: text)
    }

    /// The message that a sighting is about, with its number in the session, and where the test had it said.
    ///
    /// - Parameters:
    ///   - sighting: a message, or one that no rule heard.
    ///   - sightings: all of them.
    /// - Returns: nil for what no call of ``MockChat`` said.
    func saying(of sighting: Sighting, among sightings: [Sighting]) -> (number: Int, site: CallSite)? {
        guard sighting.kind == .unheard || sighting.kind == .userMessage else { return nil }
        // The echo of a message comes before what the message causes, and once however often it was sent.
        let echoed = sightings.filter {
            $0.kind == .userMessage && $0.session == sighting.session && $0.sequence != nil
                && $0.number <= sighting.number
        }
        let same = echoed.count { $0.text == sighting.text }
        let owners = chats.filter { $0.sessionID == sighting.session }
        for chat in owners.isEmpty ? chats : owners {
            let said = chat.said.filter { $0.text == sighting.text }
            if let call = said.dropFirst(max(same, 1) - 1).first ?? said.last {
                return (echoed.count, call.site)
            }
        }
        return nil
    }

    /// The request that the server refused last, with its reason: `POST /api/v1/access-token was answered with 401:
    /// …`; nil when it refused none.
    var refusal: String? {
        get async {
            let rows = await server.inspect { $0.rows() }
            guard let row = rows.last(where: { $0.kind == .rest && ($0.status ?? 0) >= 400 }),
                let status = row.status
            else { return nil }
            let beginning = "\(row.type) was answered with \(status)"
            let end = Array("\r\n\r\n".utf8)
            let starts = row.raw.indices.dropLast(end.count - 1)
            let head = starts.first { row.raw[$0..<($0 + end.count)].elementsEqual(end) }
            guard let head, let body = try? JSONReader.read(Array(row.raw[(head + end.count)...])),
                let reason = body.object?["error_message"]?.string ?? body.object?["message"]?.string
            else { return beginning }
            return "\(beginning): \(reason)"
        }
    }
}

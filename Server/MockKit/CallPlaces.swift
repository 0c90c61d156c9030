import MockServer
import Texts
import Timeline

/// Call sites of recently thrown errors, looked up by the text of the error.
struct CallPlaces: Sendable {
    private var thrown: [(text: String, site: CallSite)] = []

    mutating func add(_ error: any Error, at site: CallSite) {
        let text = "\(error)"
        thrown.removeAll { $0.text == text }
        thrown.insert((text, site), at: 0)
        if thrown.count > KitLimits.thrownErrors { thrown.removeLast() }
    }

    func site(of text: String) -> CallSite? { thrown.first { $0.text == text }?.site }

    /// Returns the newest recorded error whose text occurs in `text`.
    func quoted(in text: String) -> (words: String, site: CallSite)? {
        thrown.first { !$0.text.isEmpty && text.holds($0.text) }.map { ($0.text, $0.site) }
    }
}

extension Mock {
    /// Runs a call of the kit, and records the call site of an error.
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

    package func site(of error: any Error) -> CallSite? { callPlaces.site(of: "\(error)") }

    package func site(quotedIn text: String) -> (words: String, site: CallSite)? {
        callPlaces.quoted(in: text)
    }

    /// Returns the number of the user message of an observed event, and the call that sent it; nil if unknown.
    func saying(of observed: ObservedEvent, among observedEvents: [ObservedEvent]) -> (
        number: Int, site: CallSite
    )? {
        guard observed.kind == .unmatchedMessage || observed.kind == .userMessage else { return nil }
        // The echo of a message precedes all events that the message causes.
        let echoed = observedEvents.filter {
            $0.kind == .userMessage && $0.session == observed.session && $0.sequence != nil
                && $0.number <= observed.number
        }
        let same = echoed.count { $0.text == observed.text }
        let owners = chats.filter { $0.sessionID == observed.session }
        for chat in owners.isEmpty ? chats : owners {
            let said = chat.said.filter { $0.text == observed.text }
            if let call = said.dropFirst(max(same, 1) - 1).first ?? said.last {
                return (echoed.count, call.site)
            }
        }
        return nil
    }

    /// The last refused request, such as `POST /api/v1/access-token was answered with 401: …`.
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

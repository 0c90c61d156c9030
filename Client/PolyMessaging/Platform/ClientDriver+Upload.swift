import ClientSupport
import HTTPClient
import HTTPCore
import Texts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Uploads of files (extensions.md#file-request).
extension ClientDriver {
    /// Announces a file and uploads its bytes. Returns the server's id of the file. `sent` gets the number of bytes
    /// sent so far.
    func upload(_ file: OutgoingFile, sent: @escaping @Sendable (Int) -> Void) async throws -> String {
        let body = JSONWriter.bytes(
            .object([
                "name": .string(file.name), "type": .string(file.type),
                "size": .integer(Int64(file.data.count)),
            ]))
        let answer = try await exchange(201) { state, report in state.announceFile(body, report) }
        let place = (try? JSONReader.read(answer, manner: .lenient))?.object
        guard let id = place?["file_id"]?.string, !id.isEmpty, !id.utf8.contains(UInt8(ascii: ",")),
            let url = place?["upload_url"]?.string.flatMap({ URL(string: $0) })
        else { throw PolyError.transport(.protocolError(reason: "The answer names no file to upload.")) }
        let bytes = [UInt8](file.data)
        _ = try await exchange(200) { state, report in state.put(bytes, file.type, to: url, sent, report) }
        return id
    }

    /// Performs a request on the client's loop. Returns the body of a response with the expected status.
    private func exchange(
        _ status: Int,
        _ begin: @escaping @Sendable (ClientDriverState, @escaping @Sendable (RESTReply) -> Void) -> Void
    ) async throws -> [UInt8] {
        let reply = await withCheckedContinuation { continuation in
            submit { state in begin(state) { continuation.resume(returning: $0) } }
        }
        switch reply {
        case .answered(status, _, let body): return body
        case .answered(401, _, _), .answered(403, _, _): throw PolyError.auth(.unauthorized)
        case .answered(let other, _, _):
            throw PolyError.transport(.protocolError(reason: "The server answered an upload with \(other)."))
        case .failed(.network(let text)): throw PolyError.transport(.networkError(text))
        case .failed(.protocolViolation(let text)): throw PolyError.transport(.protocolError(reason: text))
        case .failed(.refused(let status, _)):
            throw PolyError.transport(.protocolError(reason: "HTTP \(status)"))
        }
    }
}

extension ClientDriverState {
    func announceFile(_ body: [UInt8], _ report: @escaping @Sendable (RESTReply) -> Void) {
        guard let restBaseURL, let record = run.machine?.session.record else {
            return report(.failed(.network("There is no session yet.")))
        }
        let url = restBaseURL.appendingPathComponent(RESTRequest.Endpoint.sessions.rawValue)
            .appendingPathComponent(record.sessionID).appendingPathComponent("files")
        let headers: HeaderFields = [
            "Authorization": "Bearer \(record.accessToken)", "User-Agent": UserAgent.text,
            "Content-Type": "application/json", "Accept": "application/json",
        ]
        dependencies.http.post(
            RESTRequest(id: 0, endpoint: .sessions, headers: headers, body: body), at: url,
            completion: report)
    }

    /// Sends the bytes of a file. The secret URL is the only credential.
    func put(
        _ bytes: [UInt8], _ type: String, to url: URL, _ sent: @escaping @Sendable (Int) -> Void,
        _ report: @escaping @Sendable (RESTReply) -> Void
    ) {
        do throws(WebAddress.Flaw) {
            let address = try WebAddress(url)
            var request = HTTPClient.Request(
                "PUT", address.endpoint, address.target, headers: ["Content-Type": type],
                answerBytes: MessagingLimits.responseBytes, timeout: MessagingLimits.uploadTimeout)
            request.body = bytes
            request.reportsProgress = true
            dependencies.http.begin(request) { news in
                if case .sent(let count) = news { sent(count) }
                if let reply = RESTReply(news) { report(reply) }
            }
        } catch {
            report(.failed(TransportFault(.badAddress(error.description))))
        }
    }
}

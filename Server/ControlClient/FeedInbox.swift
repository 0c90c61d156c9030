import Clocks
import HTTPClient
import Texts

/// Bounded queue between the feed and its reader.
struct FeedInbox: Sendable {
    let url: String
    let sink: AsyncStream<ControlClient.FeedItem>.Continuation
    /// Messages dropped since the last delivered message.
    private let dropped = Locked<Int64>(0)

    func receive(_ report: HTTPClient.Report) {
        switch report {
        case .opened, .sent, .binary, .began, .part: break
        case .text(let bytes):
            do throws(JSONError) {
                let value = try JSONReader.read(
                    bytes, maxDepth: ControlLimits.answerDepth, maxBytes: ControlLimits.feedMessageBytes)
                offer(value)
            } catch {
                end(.broken(url: url, reason: "the feed brought what is \(error)"))
            }
        case .answered(let answer):
            do throws(ControlError) {
                _ = try ControlAnswer(answer).accepted()
                end(.broken(url: url, reason: "it has no feed"))
            } catch {
                end(error)
            }
        case .closed: end(nil)
        case .failed(let failure): end(ControlError(failure, url: url))
        }
    }

    /// Ends the stream. `error` is nil if the server closed the feed normally.
    private func end(_ error: ControlError?) {
        if let error { sink.yield(.failed(error)) }
        sink.finish()
    }

    private func offer(_ value: JSONValue) {
        let missed = dropped.withLock { $0 }
        if missed > 0 {
            guard case .enqueued = sink.yield(.message(.object(["dropped": .integer(missed)]))) else {
                return dropped.withLock { $0 += 1 }
            }
            dropped.withLock { $0 = 0 }
        }
        if case .dropped = sink.yield(.message(value)) { dropped.withLock { $0 += 1 } }
    }
}

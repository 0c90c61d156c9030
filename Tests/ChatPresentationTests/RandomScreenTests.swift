import ChatPresentation
import Clocks
import Expectations
import Foundation
import PolyMessaging
import TestSupport
import Testing

/// Sessions whose events come in an order that a seed decides.
@Suite("ScreenSource: random sessions")
struct RandomScreenTests {
    private struct RandomTalk {
        var random: SeededGenerator
        var number = 0
        var pending: [String] = []
        var failed: [String] = []
        var ids = ["unknown"]
        var stream: (id: String, index: Int)?
        var hasPerson = false
        var sent: [ClientUpdate] = []

        init(seed: UInt64) { random = SeededGenerator(seed: seed) }

        mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

        mutating func one<Value>(of values: [Value]) -> Value { values[below(values.count)] }

        mutating func next() -> [ClientUpdate] {
            number += 1
            let envelope = FollowedTalk.envelope(number)
            switch below(26) {
            case 0, 1: return say()
            case 2, 3:
                guard !pending.isEmpty else { return [] }
                let draft = pending.remove(at: below(pending.count))
                if below(4) == 0 {
                    failed.append(draft)
                    return [.event(.messageFailed(draftId: draft))]
                }
                ids.append("u-" + draft)
                return [.event(.messageConfirmed(draftId: draft, messageId: "u-" + draft))]
            case 4, 5:
                ids.append("m-\(number)")
                return [
                    .event(
                        .agentMessage(
                            envelope,
                            AgentMessagePayload(
                                messageId: "m-\(number)", text: "Reply \(number)",
                                agentName: below(3) == 0 ? "Eve" : nil,
                                responseSuggestions: below(2) == 0
                                    ? [ResponseSuggestion(messageText: "Yes")] : [])
                        ))
                ]
            case 6, 7, 8, 9: return stream(envelope)
            case 10: return [.event(.agentThinking(envelope))]
            case 11:
                ids.append("e-\(number)")
                let custom = below(2) == 0 ? ["reply_to": one(of: ids)] : [:]
                let said = Envelope(
                    id: "e-\(number)", sequence: number, timestamp: envelope.timestamp,
                    metadata: EventMetadata(custom: custom))
                return [
                    .event(
                        .userMessage(
                            said, UserMessageEchoPayload(messageId: "e-\(number)", text: "Other \(number)")))
                ]
            case 12, 13, 14: return change(envelope)
            case 15:
                let payload = MessageReceiptPayload(
                    messageId: one(of: ids + ["u-d-\(number + 3)"]), isRead: below(2) == 0,
                    isByUser: below(4) == 0)
                return [.event(.messageReceipt(envelope, payload))]
            case 16:
                return [
                    .event(.systemMessage(envelope, SystemMessagePayload(message: "Note", level: .error)))
                ]
            case 17:
                return [
                    .status(.reconnecting(attempt: 1)), .event(.reconnecting(attempt: 1)), .status(.open),
                    .event(.connected),
                ]
            case 18: return handoff(envelope)
            case 19, 20: return person(envelope)
            case 21: return [.event(.sessionIdleWarning(envelope))]
            case 22:
                guard below(4) == 0 else { return [] }
                let reason = one(of: ["user_ended", "REASON_USER_ABANDONED", "other", nil])
                return [.event(.sessionEnd(envelope, SessionEndPayload(reason: reason)))]
            case 23:
                return [
                    .event(.agentJoined(envelope, AgentJoinedPayload(agentName: one(of: ["Ada", "Max"]))))
                ]
            case 24: return [.event(.agentLeft(envelope, AgentLeftPayload()))]
            default:
                // A change or a receipt comes again.
                let again = sent.filter { update in
                    switch update {
                    case .event(.messageChanged), .event(.messageReceipt): true
                    default: false
                    }
                }
                return again.isEmpty ? [] : [one(of: again)]
            }
        }

        private mutating func say() -> [ClientUpdate] {
            let draft = "d-\(number)"
            pending.append(draft)
            if below(3) > 0 { return [.event(.messagePending(draftId: draft, text: "Say \(number)"))] }
            return [.reply(draftID: draft, text: "Answer \(number)", replyTo: one(of: ids))]
        }

        private mutating func stream(_ envelope: Envelope) -> [ClientUpdate] {
            let old = stream ?? ("s-\(number)", 0)
            let (id, index, isLast) = (old.id, old.index + 1, below(4) == 0)
            if stream == nil { ids.append(id) }
            stream = isLast ? nil : (id, index)
            let chunk = AgentMessageChunkPayload(
                messageId: id, chunkIndex: index, isComplete: isLast, text: "piece \(index) ")
            guard isLast else { return [.event(.agentMessageChunk(envelope, chunk))] }
            number += 1
            let text = (1...index).map { "piece \($0) " }.joined()
            return [
                .event(.agentMessageChunk(envelope, chunk)),
                .event(
                    .agentMessage(
                        FollowedTalk.envelope(number), AgentMessagePayload(messageId: id, text: text))),
            ]
        }

        private mutating func change(_ envelope: Envelope) -> [ClientUpdate] {
            let change: MessageChangedPayload.Change =
                switch below(5) {
                case 0: .text(one(of: ["Edit \(number)", " "]))
                case 1: below(3) == 0 ? .deleted : .text("Edit \(number)")
                case 2: .file(id: "f", .uploading(percent: below(120)), name: "a.txt", type: "text/plain")
                default: .reaction(one(of: ["👍", "🎉"]), isOn: below(3) > 0)
                }
            let payload = MessageChangedPayload(
                messageId: one(of: ids + ["m-\(number + 2)"]), change: change, by: one(of: [.user, .agent]))
            return [.event(.messageChanged(envelope, payload))]
        }

        private mutating func handoff(_ envelope: Envelope) -> [ClientUpdate] {
            switch below(6) {
            case 0: return [.event(.agentTriggeredHandoff(envelope))]
            case 1: return [.event(.handoffAccepted(envelope, HandoffAcceptedPayload()))]
            case 2: return [.event(.handoffFailed(envelope, HandoffFailedPayload(reason: "busy")))]
            case 3: return [.event(.handoffTimeout(envelope, HandoffTimeoutPayload()))]
            case 4:
                let payload = ClientHandoffRequiredPayload(
                    route: one(of: ["https://shop.test/", "desk", nil]))
                return [.event(.clientHandoffRequired(envelope, payload))]
            default:
                let payload = HandoffQueueStatusPayload(
                    position: one(of: [nil, 2, 1]), estimatedWaitSeconds: one(of: [nil, 90]),
                    displayMessage: one(of: [nil, "Soon"]))
                return [.event(.handoffQueueStatus(envelope, payload))]
            }
        }

        private mutating func person(_ envelope: Envelope) -> [ClientUpdate] {
            guard hasPerson else {
                guard below(2) == 0 else { return [] }
                hasPerson = true
                return [
                    .event(
                        .liveAgentJoined(envelope, LiveAgentJoinedPayload(agentName: one(of: ["Bo", nil]))))
                ]
            }
            switch below(6) {
            case 0:
                // The SDK ends an open stream before another reply.
                let open = stream.map { open in
                    let text = (1...open.index).map { "piece \($0) " }.joined()
                    return AgentMessagePayload(messageId: open.id, text: text)
                }
                (hasPerson, stream) = (false, nil)
                number += 1
                let end = FollowedTalk.envelope(number)
                return (open.map { [.event(.agentMessage(envelope, $0))] } ?? []) + [
                    .event(.liveAgentLeft(end, LiveAgentLeftPayload(agentName: one(of: ["Bo", nil]))))
                ]
            case 1, 2:
                let state: TypingState = below(2) == 0 ? .started : .stopped
                return [.event(.liveAgentTyping(envelope, LiveAgentTypingPayload(state: state)))]
            default:
                ids.append("m-\(number)")
                let payload = LiveAgentMessagePayload(messageId: "m-\(number)", text: "Hand \(number)")
                return [.event(.liveAgentMessage(envelope, payload))]
            }
        }
    }

    private static let now = FollowedTalk.now

    /// What a user sees besides the rows.
    private func rest(_ chat: ChatModel) -> [String] {
        ["\(chat.ending?.rawValue ?? "-") \(chat.presence?.rawValue ?? "-") \(chat.person ?? "-")"]
            + chat.suggestions.map(\.text)
    }

    @Test("A screen that was always open shows what one shows that is opened late, closed and opened again")
    func sameScreens() {
        var broken = 0
        for seed in 0..<UInt64(Strength.of(100, full: 2_000)) {
            var (talk, feed) = (RandomTalk(seed: seed), FollowedTalk())
            var (live, again) = (OpenedScreen(), OpenedScreen())
            live.open(feed.source)
            var log: [String] = []
            let start: [ClientUpdate] = [.sessionChanged("s-1"), .status(.open), .event(.connected)]
            steps: for step in 0..<50 {
                for update in step == 0 ? start : talk.next() {
                    log.append(String("\(update)".prefix(160)))
                    talk.sent.append(update)
                    feed.notify(update)
                }
                if talk.below(10) == 0, !talk.failed.isEmpty {
                    let draft = talk.failed.remove(at: talk.below(talk.failed.count))
                    log.append("remove \(draft)")
                    feed.feed.removeMessage(draftID: draft)
                    live.take(at: Self.now)
                    live.apply(.remove(id: draft), at: Self.now)
                    again.take(at: Self.now)
                    again.apply(.remove(id: draft), at: Self.now)
                }
                guard step % 3 == 0 else { continue }
                var late = OpenedScreen()
                late.open(feed.source)
                live.take(at: Self.now)
                again.take(at: Self.now)
                late.take(at: Self.now)
                let wanted = live.lines + rest(live.chat)
                for (name, screen) in [("late", late), ("again", again)] where name == "late" || again.isOpen
                {
                    let given = screen.lines + rest(screen.chat)
                    guard given != wanted || screen.patched != screen.chat.rows else { continue }
                    broken += 1
                    if broken < 6 {
                        let index = zip(given, wanted).enumerated().first { $0.1.0 != $0.1.1 }?.offset
                        let at = index ?? min(given.count, wanted.count)
                        Issue.record(
                            """
                            seed \(seed), step \(step), \(name) row \(at) of \(wanted.count), \(given.count):
                            live \(wanted.dropFirst(max(0, at - 1)).prefix(3)),
                            \(name) \(given.dropFirst(max(0, at - 1)).prefix(3))
                            \(log.suffix(5).joined(separator: "\n"))
                            """)
                    }
                    break steps
                }
                switch talk.below(8) {
                case 0: again.open(feed.source)
                case 1: again.close()
                default: break
                }
                again.take(at: Self.now)
            }
        }
        expectEqual(broken, 0)
    }
}

import ChatPresentation
import Clocks
import ContactPresentation
import Expectations
import TestSupport
import Testing
import Texts

@testable import ConnectCore

/// Screens of one contact, whose answers, items and pages arrive in an order that a seed decides.
@Suite("Order of a contact's rows")
struct ContactOrderTests {
    /// A contact, its service, and a screen that was open from the beginning.
    private struct Contact {
        struct Sent {
            var draft: String
            var text: String
            var isFile: Bool
        }

        var random: SeededGenerator
        var core = TranscriptCore()
        var reader = ContactReader()
        var chat = ChatModel()
        /// A screen that was opened, or closed and opened again, at the last such step.
        var opened: (reader: ContactReader, chat: ChatModel)?
        var log: [String] = []
        var clock: Int64 = 1_768_469_400_000
        var count = 0
        /// Items of the service that have not arrived, and those that have.
        var coming: [JSONValue] = []
        var arrived: [JSONValue] = []
        var older: [JSONValue] = []
        var texts: [Sent] = []
        var files: [Sent] = []
        var failed: [Sent] = []

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            core.ownID = "me"
            for number in 0..<12 {
                let own = below(3) == 0
                let moment = clock - Int64(number / 3)
                older.append(item("o\(number)", own ? "me" : "them", "old \(number)", at: moment))
            }
            take([.connectionEstablished])
        }

        mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

        mutating func take(_ events: [ChatSessionEvent]) {
            for event in events {
                for action in reader.read(event) { _ = chat.apply(action, at: 0) }
                for action in opened?.reader.read(event) ?? [] { _ = opened?.chat.apply(action, at: 0) }
            }
        }

        mutating func look() {
            var events: [ChatSessionEvent] = []
            for change in core.takeChanges() {
                switch change {
                case .insert(let row, _), .update(let row, _), .move(let row, _, _):
                    events.append(.messageReceived(row))
                case .remove, .removeFirst, .removeAll: break
                }
            }
            take(events)
            take([.transcriptUpdated(TranscriptSnapshot(core.list, insertions: core.insertions))])
        }

        func time(_ moment: Int64) -> String { TimeStamp.text(nanoseconds: moment * 1_000_000) }

        func item(
            _ id: String, _ sender: String, _ text: String, at moment: Int64, file: String? = nil,
            status: String = "APPROVED", event: String? = nil, chunk: Int? = nil, isWhole: Bool = false
        ) -> JSONValue {
            var item: JSONObject = [
                "Id": .string(id),
                "Type": .string(event != nil ? "EVENT" : file == nil ? "MESSAGE" : "ATTACHMENT"),
                "ContactId": .string("c"), "AbsoluteTime": .string(time(moment)),
                "ParticipantId": .string(sender),
                "ParticipantRole": .string(
                    event != nil
                        ? "AGENT" : sender == "me" ? "CUSTOMER" : sender == "Bob" ? "AGENT" : "SYSTEM"),
                "DisplayName": .string(sender),
            ]
            if let chunk {
                let piece: JSONObject = [
                    "MessageId": .string(id), "ChunkNumber": .integer(Int64(chunk)),
                    "MessageCompleted": .bool(isWhole),
                ]
                item.members.append(.init("MessageMetadata", .object(piece)))
            }
            if let file {
                let part: JSONObject = [
                    "AttachmentId": .string(file), "AttachmentName": .string(text),
                    "Status": .string(status), "ContentType": .string("text/plain"),
                ]
                item.members.append(.init("Attachments", .array([.object(part)])))
            } else {
                item.members.append(.init("Content", .string(text)))
                let type = event.map { WireItem.eventPrefix + $0 } ?? "text/plain"
                item.members.append(.init("ContentType", .string(type)))
            }
            return .object(item)
        }

        mutating func merge(_ value: JSONValue, from source: TranscriptCore.Source) {
            guard let item = WireItem(value) else { return }
            _ = core.merge(item, from: source, at: Instant(secondsSince1970: clock / 1_000)) { "made" }
        }

        mutating func own(_ sent: Sent) {
            var row = TranscriptRow(
                kind: .message, id: sent.draft, persistentId: sent.draft, timeStamp: time(clock),
                contentType: "text/plain")
            (row.direction, row.status, row.text) = (.Outgoing, .Sending, sent.text)
            if sent.isFile { row.attachmentId = sent.draft }
            core.addOwn(row)
        }

        mutating func step() {
            clock += Int64(below(2))
            count += 1
            switch below(20) {
            case 0, 1: coming.append(item("a\(count)", "them", "reply \(count)", at: clock))
            case 2: coming.append(item("f\(count)", "me", "text \(below(2))", at: clock))
            case 3:
                let sent = Sent(draft: "d\(count)", text: "text \(below(2))", isFile: false)
                log.append("say \(sent.draft)")
                own(sent)
                texts.append(sent)
            case 4:
                let sent = Sent(draft: "d\(count)", text: "file \(count)", isFile: true)
                log.append("file \(sent.draft)")
                own(sent)
                core.setAttachment(sent.draft, id: "file-" + sent.draft)
                files.append(sent)
            case 5, 6:
                guard !texts.isEmpty else { return }
                answerText(texts.removeFirst())
            case 7:
                guard !files.isEmpty else { return }
                answerFile(files.remove(at: below(files.count)))
            case 8:
                guard !failed.isEmpty else { return }
                let sent = failed.remove(at: below(failed.count))
                guard core.byPersistentID(sent.draft)?.status == .Failed else { return }
                log.append("resend \(sent.draft)")
                core.resend(sent.draft, time: time(clock))
                if sent.isFile {
                    core.setAttachment(sent.draft, id: "file-\(sent.draft)-\(count)")
                    files.append(sent)
                } else {
                    texts.append(sent)
                }
            case 9:
                guard !older.isEmpty else { return }
                log.append("older")
                for _ in 0..<min(4, older.count) { merge(older.removeFirst(), from: .page(isOlder: true)) }
            case 10:
                guard !arrived.isEmpty else { return }
                let again = arrived[below(arrived.count)]
                log.append("again \(again["Id"]?.string ?? "")")
                merge(again, from: below(2) == 0 ? .live : .page(isOlder: false))
            case 11:
                // Some receipts come before their message.
                let ids = arrived.suffix(5).map { $0["Id"]?.string ?? "" } + ["s\(count + 2)"]
                let id = ids[below(ids.count)]
                log.append("receipt \(id)")
                receipt(id, isRead: below(2) == 0)
            case 12:
                let names = [
                    "participant.joined", "participant.left", "participant.invited", "transfer.failed",
                ]
                let name = names[below(names.count)]
                log.append(name)
                merge(item("e\(count)", "Bob", "", at: clock, event: name), from: .live)
            case 13:
                let sender = below(3) == 0 ? "Bob" : "bot"
                let pieces = (1...(1 + below(4))).map { "piece \($0) " }
                for (number, piece) in pieces.enumerated() {
                    coming.append(item("c\(count)", sender, piece, at: clock, chunk: number + 1))
                }
                let text = pieces.joined()
                coming.append(
                    item("c\(count)", sender, text, at: clock, chunk: pieces.count + 1, isWhole: true))
            case 14:
                log.append("lost")
                take([.connectionBroken])
                for _ in 0..<below(3) where !coming.isEmpty { arrive(from: .page(isOlder: false)) }
                take([.connectionReEstablished])
            default: arrive()
            }
        }

        mutating func receipt(_ id: String, isRead: Bool) {
            core.receipt(id, isRead ? .Read : .Delivered, isOwn: false)
            look()
            let type: MessageReceiptType = isRead ? .messageRead : .messageDelivered
            let row = TranscriptRow(
                kind: .event, id: id, persistentId: id, timeStamp: time(clock), contentType: type.rawValue)
            take([isRead ? .readReceipt(row) : .deliveredReceipt(row)])
        }

        mutating func arrive(from source: TranscriptCore.Source = .live) {
            guard !coming.isEmpty else { return }
            let next = coming.remove(at: min(below(coming.count), below(coming.count)))
            log.append("arrive \(next["Id"]?.string ?? "")")
            merge(next, from: source)
            arrived.append(next)
        }

        mutating func answerText(_ sent: Sent) {
            let (id, way) = ("s\(count)", below(6))
            // A custom client may send another text.
            let text = below(4) == 0 ? sent.text + ", from the app" : sent.text
            if way > 0 { coming.append(item(id, "me", text, at: clock)) }
            while way == 5, coming.contains(where: { $0["Id"]?.string == id }) { arrive() }
            if way >= 2 {
                log.append("accepted \(sent.draft) as \(id)")
                return core.accepted(sent.draft, id: id, time: time(clock))
            }
            log.append("failed \(sent.draft)\(way > 0 ? " as " + id : "")")
            let now = Instant(secondsSince1970: clock / 1_000)
            if core.failed(sent.draft, isUncertain: way > 0, time: time(clock), at: now) {
                failed.append(sent)
            }
        }

        mutating func answerFile(_ sent: Sent) {
            guard let file = core.byPersistentID(sent.draft)?.attachmentId else { return }
            let (id, way) = ("s\(count)", below(6))
            let status = way == 1 ? "REJECTED" : "APPROVED"
            if way > 0 {
                if below(2) == 0 {
                    coming.append(item(id, "me", sent.text, at: clock, file: file, status: "IN_PROGRESS"))
                }
                coming.append(item(id, "me", sent.text, at: clock, file: file, status: status))
            }
            while way == 5, coming.contains(where: { $0["Id"]?.string == id }) { arrive() }
            if way > 0 {
                log.append("complete \(sent.draft) as \(id)")
                return core.receipt(sent.draft, .Sent, isOwn: false)
            }
            log.append("cancelled \(sent.draft)")
            let now = Instant(secondsSince1970: clock / 1_000)
            if core.failed(sent.draft, isUncertain: false, isCancelled: true, time: time(clock), at: now) {
                failed.append(sent)
            }
        }

        func fill(_ chat: ChatModel = ChatModel()) -> (reader: ContactReader, chat: ChatModel) {
            var (reader, chat) = (ContactReader(), chat)
            let snapshot = TranscriptSnapshot(core.list, insertions: core.insertions)
            _ = chat.apply(.fill(reader.history(snapshot, isOpen: true)), at: 0)
            return (reader, chat)
        }

        static func lines(_ chat: ChatModel) -> [String] {
            chat.rows.map { row in
                guard let message = row.message else {
                    return "\(row.notice?.key ?? "") \(row.notice?.arguments ?? [:])"
                }
                let files = message.attachments.map { "\($0.title ?? "") \($0.state)" }
                let words = [
                    message.speaker.rawValue, message.name, message.text, message.delivery?.rawValue ?? "-",
                    message.isStreaming ? "grows" : "whole",
                ]
                return (words + files)
                    .joined(separator: "|")
            }
        }
    }

    @Test("A screen that was always open shows the rows of one that is opened late, in their order")
    func sameRows() {
        var broken = 0
        for seed in 0..<UInt64(Strength.of(100, full: 2_000)) {
            var contact = Contact(seed: seed)
            for _ in 0..<40 {
                contact.step()
                contact.look()
                let (live, late) = (Contact.lines(contact.chat), Contact.lines(contact.fill().chat))
                let opened = contact.opened.map { Contact.lines($0.chat) }
                if contact.below(8) == 0 {
                    contact.log.append("open")
                    contact.opened = contact.fill(contact.opened?.chat ?? ChatModel())
                }
                guard live != late || opened ?? live != live else { continue }
                broken += 1
                if broken < 4 {
                    Issue.record(
                        "seed \(seed): \(contact.log)\nlive \(live)\nlate \(late)\nopened \(opened ?? [])")
                }
                break
            }
        }
        expectEqual(broken, 0)
    }
}

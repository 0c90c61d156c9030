import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import Texts

extension ConnectDialect {
    /// Maximum uploads per contact.
    static let fileCount = 35
    private static let uploadTime = Interval.minutes(15)

    func announce(
        _ fields: RequestFields, _ caller: Caller, _ host: inout Context
    ) throws(ServiceError) -> [UInt8] {
        let type = try fields.required("ContentType", 1...255)
        let name = try fields.required("AttachmentName", 1...256)
        guard let size = try fields.integer("AttachmentSizeInBytes", 1...Self.fileBytes) else {
            throw fields.missing("AttachmentSizeInBytes")
        }
        guard let ending = FileType.ending(of: name), FileType.endings.contains(ending) else {
            throw .invalid(
                "AttachmentName \"\(name.prefix(100))\" is of no type that is taken: "
                    + FileType.endings.sorted().joined(separator: ", "), for: .participant)
        }
        guard type.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            throw .invalid("ContentType is no media type", for: .participant)
        }
        let now = host.now
        let id = host.uniqueID().text
        let end = now + Self.uploadTime
        let pass = BearerToken(kind: .upload, contact: caller.session.id, detail: id, issued: now, end: end)
        let signature = pass.signed(key, for: options.shard)
        let url = "\(origin("http", host))\(Path.upload)/\(id)?X-Amz-Signature=\(signature)"
        host.shelf.expire(at: now)
        let held = Set(host.shelf.files(of: caller.session.id).map(\.id))
        let current = try change(caller, &host) { contact, _ throws(ServiceError) in
            contact.uploads = contact.uploads.filter { $0.value.isCompleted || held.contains($0.key) }
            guard contact.uploads.count < Self.fileCount else {
                throw .full("A chat takes \(Self.fileCount) attachments")
            }
            return contact.current
        }
        do throws(AttachmentStore.Refusal) {
            try host.shelf.announce(
                id, name: name, type: type, size: size, session: caller.session.id, until: end)
        } catch {
            throw .full("The server does not take the file: \(error.words)")
        }
        let headers: JSONObject = [
            "Content-Type": .string(type), "Content-Length": .string("\(size)"),
            "Content-Disposition": .string(Self.disposition("attachment", name)),
            "x-amz-acl": .string("bucket-owner-full-control"),
            "x-amz-meta-account_id": .string("000000000000"),
            "x-amz-meta-contact_id": .string(current),
            "x-amz-meta-initial_contact_id": .string(caller.session.id),
            "x-amz-meta-organization_id": .string("polymock"),
        ]
        let metadata: JSONObject = [
            "Url": .string(url), "UrlExpiry": .string(end.text), "HeadersToInclude": .object(headers),
        ]
        try change(caller, &host) { contact, _ in
            contact.uploads[id] = Upload(name: name, type: type, size: size, party: caller.party)
        }
        return Self.body(["AttachmentId": .string(id), "UploadMetadata": .object(metadata)])
    }

    /// Returns a Content-Disposition of at most 256 characters.
    static func disposition(_ kind: String, _ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { 0x20...0x7E ~= $0 && $0 != 0x22 && $0 != 0x5C }
        let value =
            isPlain
            ? "\(kind); filename=\"\(name)\"" : "\(kind); filename*=UTF-8''\(PercentCoding.encode(name))"
        return value.utf8.count <= 256 ? value : kind
    }

    func judgeUpload(_ request: Request, _ host: inout Context) -> Bool {
        guard let pass = uploadPass(request, &host), let file = host.shelf[pass.detail] else { return false }
        let length = request.head.headers["Content-Length"].flatMap { Int($0) }
        return length == file.size || length == nil
    }

    private func uploadPass(_ request: Request, _ host: inout Context) -> BearerToken? {
        guard let text = request.query("X-Amz-Signature"),
            let pass = BearerToken(text, kind: .upload, key: key, for: options.shard),
            pass.detail == request.values["file"] ?? "", host.now < pass.end,
            let session = host.session(id: pass.contact), !session.hasEnded
        else { return nil }
        return pass
    }

    func receiveFile(_ request: Request, _ host: inout Context) throws(ServiceError) -> Response {
        let id = request.values["file"] ?? ""
        guard let text = request.query("X-Amz-Signature"),
            let pass = BearerToken(text, kind: .upload, key: key, for: options.shard), pass.detail == id,
            host.now < pass.end, let session = host.held(pass.contact, called: "contact"), !session.hasEnded
        else { throw .denied }
        guard host.enter(session.handle) else { throw ServiceError(.status(500), path: "/connect") }
        do throws(AttachmentStore.Refusal) {
            try host.shelf.receive(request.body, of: id)
        } catch {
            switch error {
            case .otherSize(let announced):
                // If the body was not read, the error names the request's Content-Length.
                let count = request.body.isEmpty ? request.head.headers["Content-Length"] : nil
                throw .invalid(
                    "The body has \(count ?? "\(request.body.count)") bytes; \(announced) were announced",
                    for: .participant)
            // A client that missed the response uploads the same bytes again.
            case .notExpected where host.shelf.holds(request.body, of: id): break
            case .notExpected: throw .conflict("The file is here already")
            default: throw .denied
            }
        }
        let tag = SHA256.hex(of: Array(id.utf8)).prefix(32)
        return Response(status: 200, headers: ["ETag": "\"\(tag)\""])
    }

    func complete(
        _ fields: RequestFields, _ caller: Caller, _ host: inout Context
    ) throws(ServiceError) -> [UInt8] {
        guard let ids = try fields.texts("AttachmentIds") else { throw fields.missing("AttachmentIds") }
        guard ids.count == 1, let id = ids.first else {
            throw .invalid("AttachmentIds has one element", for: .participant)
        }
        let upload = try change(caller, &host) { contact, _ throws(ServiceError) in
            guard let upload = contact.uploads[id] else {
                throw .invalid("There is no attachment \(id.prefix(256))", for: .participant)
            }
            return upload
        }
        guard !upload.isCompleted else { throw .conflict("The attachment is completed already") }
        guard host.shelf[id]?.state == .received else {
            throw .invalid("No bytes of the attachment have come", for: .participant)
        }
        let isGood = !upload.name.lowercased().holds("eicar")
        do throws(AttachmentStore.Refusal) {
            try host.shelf.judge(id, rejected: isGood ? nil : "the scanner found something")
        } catch {
            throw .conflict("The attachment is judged already")
        }
        let now = host.now
        return try change(caller, &host) { contact, steps in
            contact.appear(caller.party, at: now, into: &steps)
            contact.complete(id, isGood: isGood, at: now, into: &steps)
            return Self.nothing
        }
    }

    private enum Disposition: String, CaseIterable {
        case inline = "INLINE"
        case attachment = "ATTACHMENT"

        /// Lower case, for links and header fields (RFC 6266 §4.2).
        var word: String { rawValue.lowercased() }
    }

    func attachment(
        _ fields: RequestFields, _ caller: Caller, _ host: inout Context
    ) throws(ServiceError) -> [UInt8] {
        let id = try fields.required("AttachmentId", 1...256)
        let life = try fields.integer("UrlExpiryInSeconds", 5...300) ?? 300
        let disposition = try fields.choice("UrlContentDisposition", Disposition.self) ?? .attachment
        try change(caller, &host) { contact, _ throws(ServiceError) in
            guard contact.participants[caller.party].role != .customBot, contact.uploads[id]?.isOpen ?? true
            else { throw .denied }
        }
        guard let file = host.shelf[id], file.session == caller.session.id else {
            throw .invalid("There is no attachment \(id.prefix(256))", for: .participant)
        }
        guard file.state == .accepted else { throw .denied }
        let end = host.now + .seconds(life)
        let digits = options.shard == nil ? "" : caller.session.id.suffix(BearerToken.digitCount)
        let link = digits + host.shelf.link(to: id, as: disposition.word, until: end)
        let url = "\(origin("http", host))\(Path.file)/\(link)"
        return Self.body([
            "Url": .string(url), "UrlExpiry": .string(end.text),
            "AttachmentSizeInBytes": .integer(Int64(file.size)),
        ])
    }

    /// Answers a download by a signed link.
    func sendFile(_ request: Request, _ host: inout Context) throws(ServiceError) -> Response {
        let link = request.values["link"] ?? ""
        do throws(AttachmentStore.Refusal) {
            let (file, asked) = try host.shelf.open(
                String(link.dropFirst(options.shard == nil ? 0 : BearerToken.digitCount)), at: host.now)
            let type = FileType.sent(file.type, of: file.name)
            let isShown = asked == Disposition.inline.word && FileType.isShown(type)
            let kind = (isShown ? Disposition.inline : .attachment).word
            return Response(
                status: 200,
                headers: [
                    "Content-Type": type, "Content-Disposition": Self.disposition(kind, file.name),
                    // Pages of other origins may show pictures: the secret link protects the file.
                    "Cross-Origin-Resource-Policy": "cross-origin",
                ], body: file.bytes)
        } catch {
            let digits = link.prefix(BearerToken.digitCount)
            if let line = options.shard?.stranger(digits: digits, called: "a link to a file") {
                host.log(line)
            }
            throw .denied
        }
    }
}

struct Upload: Sendable {
    let name: String
    let type: String
    let size: Int
    let party: Int
    var isCompleted = false
    /// Time of the scan result; nil if no scan is in progress.
    var verdictAt: Instant?
    var isGood = true
    /// Whether the scan has ended.
    var isOpen = false
    var item: UniqueID?
}

extension Contact {
    func complete(_ id: String, isGood: Bool, at now: Instant, into steps: inout Steps) {
        uploads[id]?.isCompleted = true
        uploads[id]?.isGood = isGood
        guard settings.scanDelay > .zero else { return conclude(id, at: now, into: &steps) }
        uploads[id]?.verdictAt = now + settings.scanDelay
        guard let upload = uploads[id] else { return }
        noteWord(of: participants[upload.party], at: now, into: &steps)
        guard settings.announcesScans else { return }
        var item = item(file(id, upload, .inProgress), from: participants[upload.party], at: now)
        item.isPending = true
        items.keep(item)
        uploads[id]?.item = item.id
        send(item, nil, into: &steps)
    }

    func conclude(_ id: String, at now: Instant, into steps: inout Steps) {
        guard let upload = uploads[id] else { return }
        uploads[id]?.verdictAt = nil
        uploads[id]?.isOpen = true
        let content = file(id, upload, upload.isGood ? .approved : .rejected)
        let sender = participants[upload.party]
        if let item = upload.item, case let place = items.place(of: item), place < items.count {
            items[place].content = content
            items[place].isPending = false
            send(items[place], nil, into: &steps)
        } else {
            deliver(content, from: sender, at: now, into: &steps)
        }
        noteWord(of: sender, at: now, into: &steps)
        guard upload.isGood, sender.role == .customer else { return }
        let file = UserFile(name: upload.name, type: upload.type, byteCount: upload.size)
        steps.append(.receive(ClientInput(.file(file)), from: .none))
    }

    private func file(_ id: String, _ upload: Upload, _ status: Item.File.Status) -> Item.Content {
        .file(Item.File(id: id, name: upload.name, type: upload.type, status: status))
    }
}

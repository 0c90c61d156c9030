import Expectations
import Foundation
import HTTPClient
import HTTPCore
import Testing

@testable import ConnectChat
@testable import ConnectCore

/// What apps see of settings, regions, types and errors.
@Suite("ConnectChat: values")
struct ValueTests {
    @Test("Regions count from 0 in the order of the AWS SDK, and are found by their names")
    func regions() {
        expectEqual(AWSRegionType.allCases.count, 35)
        #expect(AWSRegionType.USEast1.rawValue == 1 && AWSRegionType.ILCentral1.rawValue == 34)
        expectEqual(AWSRegionType.USGovWest1.name, "us-gov-west-1")
        expectEqual(AWSRegionType(name: "ap-southeast-2"), .APSoutheast2)
        #expect(AWSRegionType(name: "") == nil && AWSRegionType(name: "moon-1") == nil)
    }

    @Test("There are 29 published content types, one of ours, and 16 types of files")
    func types() {
        expectEqual(AttachmentTypes.allCases.count, 16)
        expectEqual(ContentType(rawValue: "application/vnd.amazonaws.connect.event.chat.ended"), .ended)
        let cancelled = "application/vnd.amazonaws.connect.event.workflow.cancelled"
        expectEqual(ContentType(rawValue: cancelled), .workflowCancelled)
        #expect(
            AttachmentTypes.type(ofFile: "a.b.JPEG") == .jpg && AttachmentTypes.type(ofFile: "x.jfif") == .jpg
        )
        #expect(AttachmentTypes.type(ofFile: "csv") == nil && AttachmentTypes.type(ofFile: "x.exe") == nil)
    }

    @Test("CC-10 A region gives its host; an endpoint keeps its path, with and without a slash at its end")
    func addresses() throws {
        expectEqual(ServiceAddress.host(of: .USEast1), "participant.connect.us-east-1.amazonaws.com")
        expectEqual(ServiceAddress.host(of: .CNNorth1), "participant.connect.cn-north-1.amazonaws.com.cn")
        for path in ["/proxy", "/proxy/"] {
            let base = try ServiceAddress(GlobalConfig(endpoint: URL(string: "http://mock.test:81" + path)))
            #expect(base.target == "/proxy" && base.endpoint.host == "mock.test" && base.endpoint.port == 81)
        }
        try expectEqual(ServiceAddress(GlobalConfig(endpoint: URL(string: "http://mock.test"))).target, "")
        let service = try ServiceAddress(GlobalConfig()).endpoint
        #expect(service.isEncrypted && service.port == 443)
    }

    @Test("CC-15 The exception's name comes from the header or the body, bare; any body keeps the status")
    func errors() {
        func error(_ header: String?, _ body: String) -> ConnectChatError {
            ConnectChatError(
                status: 403, headers: header.map { ["x-amzn-errortype": $0, "Retry-After": "3"] } ?? [:],
                body: Array(body.utf8))
        }
        expectEqual(
            error("AccessDeniedException:http://x/", #"{"message":"no"}"#),
            .service(.init(type: "AccessDeniedException", status: 403, message: "no", retryAfter: 3)))
        let fromBody = error(nil, #"{"__type":"com.x#Denied,more","Message":"No"}"#)
        expectEqual(fromBody, .service(.init(type: "Denied", status: 403, message: "No")))
        for body in ["<html>", "", "{"] {
            expectEqual(error(nil, body), .service(.init(type: "", status: 403)))
        }
        expectEqual((fromBody as NSError).localizedFailureReason, "Denied")
        #expect((fromBody as NSError).domain == "ConnectChat" && !fromBody.isRetryable)
        #expect(ConnectChatError.network("").isRetryable && ConnectChatError.timedOut(seconds: 1).isRetryable)
    }

    @Test("CC-65 Contents decode; a broken or unknown one gives nil, and keeps its text")
    func contents() throws {
        let quick =
            #"{"templateType":"QuickReply","data":{"content":{"title":"Which?","elements":[{"title":"A"}]}}}"#
        let interactive = ContentType.interactiveText.rawValue
        let content = try #require(ContentDecoder.content(quick, interactive) as? QuickReplyContent)
        #expect(content.title == "Which?" && content.options == ["A"])
        let slots = #"{"date":"2026-01-31T18:00+00:00","duration":60}"#
        let picker =
            #"{"templateType":"TimePicker","version":"1.0","data":{"content":{"title":"When?","timeslots":[\#(slots)]}}}"#
        let times = try #require(ContentDecoder.content(picker, interactive) as? TimePickerContent)
        expectEqual(times.timeslots.first?.duration, 60)
        for text in ["{", #"{"templateType":"New"}"#, #"{"templateType":"Panel","data":{}}"#] {
            #expect(ContentDecoder.content(text, interactive) == nil)
        }
        expectEqual((ContentDecoder.content("# Hi", "text/markdown") as? PlainTextContent)?.text, "# Hi")
    }

    @Test("CC-66 A ViewResource message has its view; a token is one segment of the path")
    func views() {
        let text =
            #"{"templateType":"ViewResource","data":{"content":{"viewId":"form","viewToken":"a/b=="}}}"#
        let message = Message(
            participant: "AGENT", text: text, contentType: ContentType.interactiveText.rawValue,
            timeStamp: "", serializedContent: [:])
        expectEqual(message.viewResource?.id, "form")
        #expect(message.viewResource?.content?["viewToken"] as? String == "a/b==")
        expectEqual(
            ServiceOperation.describeView(token: "a/b+c==").path, "/participant/views/a%2Fb%2Bc%3D%3D")
        expectEqual(ServiceOperation.describeView(token: "x").body, nil)
    }

    @Test("CC-117 Of a name only the last part counts, and it is never empty, . or ..")
    func names() {
        let long = String(repeating: "x", count: 300) + ".txt"
        for (name, safe) in [
            ("a.txt", "a.txt"), ("../../a.txt", "a.txt"), ("/etc/passwd", "passwd"), ("..", "attachment"),
            ("", "attachment"), ("a\\b.txt", "b.txt"), ("./", "attachment"), ("a\u{0}b", "ab"),
        ] {
            expectEqual(TemporaryFiles.safeName(name), safe)
        }
        #expect(
            TemporaryFiles.safeName(long).utf8.count == 200 && TemporaryFiles.safeName(long).hasSuffix(".txt")
        )
    }

    @Test("A symbolic link is sent by its own name, with what it leads to")
    func links() throws {
        let (files, id) = (FileManager.default, UUID().uuidString)
        let folder = files.temporaryDirectory.appendingPathComponent(id)
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        let (link, target) = (folder.appendingPathComponent("a.txt"), folder.appendingPathComponent("b"))
        let shelf = TemporaryFiles(id: id)
        defer {
            shelf.dropAll()
            try? files.removeItem(at: folder)
        }
        try Data("hello".utf8).write(to: target)
        try files.createSymbolicLink(at: link, withDestinationURL: target)
        let file = try shelf.copy(link, id: "1")
        #expect(file.name == "a.txt" && file.byteCount == 5 && TemporaryFiles.byteCount(file.copy) == 5)
        try files.removeItem(at: target)
        #expect(throws: ConnectChatError.fileUnreadable("a.txt")) { try shelf.copy(link, id: "2") }
    }

    @Test("Items are equal by their facts, and stay in sets when their id changes")
    func equality() {
        let item = TranscriptItem(timeStamp: "t", contentType: "c", id: "a", serializedContent: nil)
        let set: Set = [item]
        item.id = "b"
        #expect(set.contains(item) && item.persistentId == "a")
        expectEqual(
            TranscriptItem(timeStamp: "t", contentType: "c", id: nil, serializedContent: nil).id.count, 36)
        let message = Message(
            participant: "", text: "", contentType: "", timeStamp: "", messageId: "m", serializedContent: [:],
            persistentId: "p")
        #expect(message.persistentId == "p" && message.id == "m")
    }
}

import Expectations
import HTTPCore
import Testing

@testable import WebSocketCore

@Suite("Agreeing on permessage-deflate")
struct DeflateTermsTests {
    static func terms(_ fields: String...) -> DeflateTerms? {
        ExtensionOffer.list(fields).flatMap { DeflateTerms(among: $0) }
    }

    @Test("A list of extensions is read with parameters, quotes and blanks (RFC 6455 §9.1)")
    func grammar() {
        let offers = ExtensionOffer.list([#"a, b ; c="12";d = e"#, "", " ,, permessage-deflate"])
        expectEqual(
            offers,
            [
                ExtensionOffer(name: "a"),
                ExtensionOffer(
                    name: "b", parameters: [.init(name: "c", value: "12"), .init(name: "d", value: "e")]),
                ExtensionOffer(name: "permessage-deflate"),
            ])
        expectEqual(ExtensionOffer.list([#"a;b="\1\2""#])?.first?.parameters.first?.value, "12")
        expectEqual(ExtensionOffer.list([]), [])
    }

    @Test(
        "A list that does not follow the grammar is none (RFC 6455 §9.1)",
        arguments: [
            "a b", "a;", "a;;b", ";a", "a;b=", "a;=b", "a;b=\"", "a;b=\"\"", "a;b=\"c", "a;b=\"c d\"",
            "a;b=\"\\",
            "a;b=\"c\"d", "=", "a=b", "ä", "a;b=c=d", "\"a\"",
        ] as [String])
    func malformed(_ field: String) {
        expectEqual(ExtensionOffer.list([field]), nil)
    }

    @Test("A malformed list is refused with 400, with or without compression (RFC 6455 §9.1)")
    func refused() {
        var head = RequestHead(
            method: "GET", target: "/",
            headers: [
                "Host": "a", "Upgrade": "websocket", "Connection": "Upgrade",
                "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Extensions": "permessage-deflate; =",
            ])
        guard case .refuse(let response) = ServerHandshake.judge(head) else {
            Issue.record("accepted")
            return
        }
        expectEqual(response.status, 400)
        head.headers.set("Sec-WebSocket-Extensions", "permessage-deflate")
        guard case .accept(let accepted) = ServerHandshake.judge(head) else {
            Issue.record("refused")
            return
        }
        expectEqual(accepted.headers["Sec-WebSocket-Extensions"], nil)
        expectEqual(ServerHandshake.deflateTerms(for: head)?.answer, "permessage-deflate")
        head.headers.set("Sec-WebSocket-Extensions", "x-webkit-deflate-frame")
        expectEqual(ServerHandshake.deflateTerms(for: head), nil)
    }

    struct Case: CustomStringConvertible, Sendable {
        var offer: String
        var answer: String
        var serverBits = 12
        var clientBits = 15
        var serverKeeps = true
        var clientKeeps = true
        var description: String { offer.isEmpty ? "no parameter" : offer }
    }

    @Test(
        "What is offered is confirmed within what zlib and the memory allow (RFC 7692 §7.1)",
        arguments: [
            Case(offer: "", answer: ""),
            Case(
                offer: "; server_no_context_takeover", answer: "; server_no_context_takeover",
                serverKeeps: false),
            Case(
                offer: "; client_no_context_takeover", answer: "; client_no_context_takeover",
                clientKeeps: false),
            Case(offer: "; server_max_window_bits=9", answer: "; server_max_window_bits=9", serverBits: 9),
            Case(offer: "; server_max_window_bits=10", answer: "; server_max_window_bits=10", serverBits: 10),
            Case(offer: "; server_max_window_bits=15", answer: "; server_max_window_bits=12"),
            Case(
                offer: "; server_max_window_bits=\"11\"", answer: "; server_max_window_bits=11",
                serverBits: 11),
            Case(offer: "; client_max_window_bits", answer: "; client_max_window_bits=12", clientBits: 12),
            Case(offer: "; client_max_window_bits=8", answer: "; client_max_window_bits=8", clientBits: 8),
            Case(offer: "; client_max_window_bits=15", answer: "; client_max_window_bits=12", clientBits: 12),
            Case(
                offer: ";client_no_context_takeover;server_max_window_bits=9;client_max_window_bits"
                    + ";server_no_context_takeover",
                answer: "; client_no_context_takeover; server_max_window_bits=9"
                    + "; client_max_window_bits=12; server_no_context_takeover",
                serverBits: 9, clientBits: 12, serverKeeps: false, clientKeeps: false),
        ] as [Case])
    func confirmed(_ expected: Case) throws {
        let terms = try #require(Self.terms("permessage-deflate" + expected.offer))
        expectEqual(terms.answer, "permessage-deflate" + expected.answer)
        expectEqual(terms.serverWindowBits, expected.serverBits)
        expectEqual(terms.clientWindowBits, expected.clientBits)
        expectEqual(terms.serverKeepsContext, expected.serverKeeps)
        expectEqual(terms.clientKeepsContext, expected.clientKeeps)
    }

    @Test(
        "An offer with a parameter that cannot be followed is declined (RFC 7692 §7, §7.1)",
        arguments: [
            "server_max_window_bits", "server_max_window_bits=7", "server_max_window_bits=16",
            "server_max_window_bits=010", "server_max_window_bits=1e1", "server_max_window_bits=+9",
            "server_max_window_bits=99999999999999999999", "client_max_window_bits=7",
            "client_max_window_bits=16", "client_max_window_bits=08", "server_no_context_takeover=1",
            "client_no_context_takeover=true", "unknown", "unknown=1",
            "server_no_context_takeover; server_no_context_takeover",
            "client_max_window_bits; client_max_window_bits=12",
        ] as [String])
    func declined(_ parameters: String) {
        expectEqual(Self.terms("permessage-deflate; \(parameters)"), nil)
    }

    @Test("A window of 8 bits is declined, because zlib cannot compress for it (RFC 7692 §7.1.2.1)")
    func eightBits() {
        expectEqual(Self.terms("permessage-deflate; server_max_window_bits=8"), nil)
    }

    @Test("The first offer that can be met is taken, also behind others and in another field (RFC 7692 §5.1)")
    func fallback() {
        #expect(
            Self.terms(
                "x-other, permessage-deflate; nonsense=1", "permessage-deflate; client_max_window_bits")?
                .answer == "permessage-deflate; client_max_window_bits=12")
        expectEqual(
            Self.terms("permessage-deflate; server_no_context_takeover, permessage-deflate")?.answer,
            "permessage-deflate; server_no_context_takeover")
        expectEqual(Self.terms("x-other; a=b"), nil)
        expectEqual(Self.terms(), nil)
    }
}

import Expectations
import RunWire
import Testing
import Texts

@Suite("JSON Patch (RFC 6902) and JSON Pointer (RFC 6901)")
struct JSONPatchTests {
    private func json(_ text: String) throws -> JSONValue { try JSONReader.read(Array(text.utf8)) }

    /// The patch as events carry it.
    private func patch(_ text: String) throws -> [JSONPatchOperation] {
        let event = #"{"type":"STATE_DELTA","delta":\#(text)}"#
        guard case .stateDelta(let patch) = try RunEventReader.read(Array(event.utf8)).kind else { return [] }
        return patch
    }

    @Test(
        "Documents are changed as the examples of RFC 6902, appendix A, say",
        arguments: [
            (
                #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#,
                #"{"foo":"bar","baz":"qux"}"#
            ),
            (
                #"{"foo":["bar","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#,
                #"{"foo":["bar","qux","baz"]}"#
            ),
            (#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
            (
                #"{"foo":["bar","qux","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#,
                #"{"foo":["bar","baz"]}"#
            ),
            (#"{"baz":"qux"}"#, #"[{"op":"replace","path":"/baz","value":"boo"}]"#, #"{"baz":"boo"}"#),
            (
                #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
                #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
                #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
            ),
            (
                #"{"foo":["all","grass","cows","eat"]}"#, #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
                #"{"foo":["all","cows","eat","grass"]}"#
            ),
            (
                #"{"a":[1]}"#,
                #"[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/-","value":2}]"#,
                #"{"a":[1],"b":[1,2]}"#
            ),
            (
                #"{"a/b":1,"m~n":2}"#,
                #"[{"op":"replace","path":"/a~1b","value":3},{"op":"remove","path":"/m~0n"}]"#, #"{"a/b":3}"#
            ),
            (#"{"":{"x":1}}"#, #"[{"op":"replace","path":"//x","value":2}]"#, #"{"":{"x":2}}"#),
            (#"[1]"#, #"[{"op":"add","path":"","value":{"a":null}}]"#, #"{"a":null}"#),
            (
                #"{"a":1.0,"b":{"x":1,"y":2}}"#,
                #"[{"op":"test","path":"/a","value":1},{"op":"test","path":"/b","value":{"y":2,"x":1}}]"#,
                #"{"a":1.0,"b":{"x":1,"y":2}}"#
            ),
        ] as [(String, String, String)])
    func applies(_ document: String, _ operations: String, _ result: String) throws {
        #expect(
            try JSONPatch.apply(try patch(operations), to: try json(document)).isSame(as: try json(result)))
    }

    @Test(
        "What does not apply says at which path, and why",
        arguments: [
            (#"[{"op":"add","path":"/a/b/c","value":1}]"#, .noSuchPlace, "/a/b/c"),
            (#"[{"op":"remove","path":"/z"}]"#, .noSuchPlace, "/z"),
            (#"[{"op":"replace","path":"/l/3","value":1}]"#, .noSuchPlace, "/l/3"),
            (#"[{"op":"add","path":"/l/4","value":1}]"#, .noSuchPlace, "/l/4"),
            (#"[{"op":"add","path":"/l/01","value":1}]"#, .noSuchPlace, "/l/01"),
            (#"[{"op":"test","path":"/s","value":"other"}]"#, .failedTest, "/s"),
            (#"[{"op":"test","path":"/z","value":null}]"#, .noSuchPlace, "/z"),
            (#"[{"op":"move","from":"/a","path":"/a/b"}]"#, .intoItself, "/a/b"),
            (#"[{"op":"copy","from":"/z","path":"/y"}]"#, .noSuchPlace, "/z"),
            (#"[{"op":"remove","path":"a"}]"#, .badPointer, "a"),
            (#"[{"op":"remove","path":"/~2"}]"#, .badPointer, "/~2"),
        ] as [(String, JSONPatchError.Reason, String)])
    func fails(_ operations: String, _ reason: JSONPatchError.Reason, _ path: String) throws {
        let document = try json(#"{"a":{},"l":[1,2,3],"s":"x"}"#)
        let operations = try patch(operations)
        do {
            _ = try JSONPatch.apply(operations, to: document)
            Issue.record("applied")
        } catch {
            #expect(error.reason == reason && error.path == path)
        }
    }

    @Test("Copies that double a document, and paths deeper than any document, are refused")
    func bounds() throws {
        let doubling = (0..<60).flatMap { _ in [JSONPatchOperation(.copy, "/-", from: "")] }
        #expect(throws: JSONPatchError.self) { try JSONPatch.apply(doubling, to: .array([.integer(1)])) }
        let deep = String(repeating: "/a", count: 65)
        #expect(throws: JSONPatchError.self) { try JSONPointer(deep) }
        try expectEqual(
            JSONPointer(String(deep.dropLast(2))).tokens.count, 64, "as deep as a document may be")
    }
}

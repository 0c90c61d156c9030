import Expectations
import HTTPCore
import Testing

@Suite("Paths with named segments")
struct RoutePatternTests {
    private func values(_ pattern: String, _ target: String) -> [String: String]? {
        RequestTarget(parsing: target)?.segments.flatMap { RoutePattern(pattern).values(in: $0) }
    }

    @Test(
        "Each name stands for one segment, decoded by itself",
        arguments: [
            ("/rooms/{room}/notes/{n}", "/rooms/a/notes/7", ["room": "a", "n": "7"]),
            ("/rooms/{room}/notes/{n}", "/rooms/a%2Fb/notes/%C3%A9?x=1", ["room": "a/b", "n": "é"]),
            ("/rooms/{room}", "/rooms/a/", ["room": "a"]), ("/rooms/{room}", "//rooms//a", ["room": "a"]),
            ("/rooms", "/%72ooms", [:]), ("/", "/", [:]),
        ] as [(String, String, [String: String])])
    func takes(pattern: String, target: String, expected: [String: String]) {
        expectEqual(values(pattern, target), expected)
    }

    @Test(
        "Another path, dots and half a segment are not taken",
        arguments: [
            ("/rooms/{room}", "/rooms"), ("/rooms/{room}", "/rooms/a/b"), ("/rooms/{room}", "/Rooms/a"),
            ("/rooms/{room}", "/rooms/.."), ("/rooms/{room}", "/rooms/%2E%2E"), ("/rooms", "/rooms/."),
        ] as [(String, String)])
    func refuses(pattern: String, target: String) {
        expectEqual(values(pattern, target), nil)
    }

    @Test("A pattern without names is a path")
    func literal() {
        expectEqual(values("/a/b", "/a/b"), [:])
        expectEqual(RoutePattern("/a/{b}").path, "/a/{b}")
    }
}

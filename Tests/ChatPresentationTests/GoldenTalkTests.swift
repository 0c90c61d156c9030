import ChatPresentation
import Testing
import Texts

/// The Swift model gives the transcripts that `Server/Pages/web/shared/store.js` gives.
@Suite("Recorded talks")
struct GoldenTalkTests {
    /// What a talk that was cut or begun anew need not have.
    private static let passing: Set = ["sent", "announcements", "unread", "below"]

    private func expect(
        _ player: Player, gives: JSONValue, lasting: Bool = false, _ place: String,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let snapshot = player.snapshot()
        for member in gives.object?.members ?? [] where !(lasting && Self.passing.contains(member.name)) {
            #expect(
                snapshot[member.name] == Canonical.text(member.value), "\(place): \(member.name)",
                sourceLocation: location)
        }
        #expect(player.patched == player.chat.rows, "\(place): changes", sourceLocation: location)
    }

    @Test("There are talks")
    func files() {
        #expect(GoldenFiles.talks.count >= 32)
    }

    @Test("A talk gives its transcript", arguments: GoldenFiles.talks)
    func whole(_ name: String) throws {
        let talk = try GoldenTalk(name)
        var player = Player(talk)
        for (index, step) in talk.steps.enumerated() {
            try player.play(step)
            if let gives = step["gives"] { expect(player, gives: gives, "step \(index)") }
        }
        expect(player, gives: talk.gives, "the end")
        let named = Set(talk.gives.object?.members.map(\.name) ?? [])
        let left = Set(player.snapshot().keys).subtracting(named).subtracting(["sent", "announcements"])
        #expect(left.isEmpty, "members that the file does not name: \(left)")
    }

    @Test("Each frame twice gives the same", arguments: GoldenFiles.talks)
    func doubled(_ name: String) throws {
        let talk = try GoldenTalk(name)
        var player = Player(talk)
        for step in talk.steps {
            try player.play(step)
            if let frame = step["frame"] { player.hear(frame) }
        }
        expect(player, gives: talk.gives, "the end")
    }

    @Test("A connection that breaks at any step gives the same", arguments: GoldenFiles.talks)
    func cut(_ name: String) throws {
        let talk = try GoldenTalk(name)
        guard talk.cuts else { return }
        for cut in talk.steps.indices {
            var player = Player(talk)
            for (index, step) in talk.steps.enumerated() {
                try player.play(step)
                guard index == cut else { continue }
                let at = step["at"] ?? .integer(0)
                try player.play(.object(["at": at, "do": .string("lost")]))
                try player.play(.object(["at": at, "frame": talk.history(before: cut + 1)]))
                try player.play(.object(["at": at, "do": .string("open")]))
            }
            expect(player, gives: talk.gives, lasting: true, "cut at \(cut)")
        }
    }

    @Test("A talk that is begun anew at any step gives the same", arguments: GoldenFiles.talks)
    func reloaded(_ name: String) throws {
        let talk = try GoldenTalk(name)
        guard talk.reloads else { return }
        for cut in 1...talk.steps.count {
            var player = Player(talk)
            let at = talk.steps[cut - 1]["at"] ?? .integer(0)
            try player.play(.object(["at": at, "frame": talk.history(before: cut)]))
            try player.play(.object(["at": at, "do": .string("open")]))
            for step in talk.steps[cut...] { try player.play(step) }
            expect(player, gives: talk.gives, lasting: true, "reloaded at \(cut)")
        }
    }
}

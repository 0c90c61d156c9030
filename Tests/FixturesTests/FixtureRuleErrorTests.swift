import Expectations
import Fixtures
import Testing

/// As in ``FixtureErrorTests``, one mistake per case.
@Suite("Fixture compiler: errors in rules and steps")
struct FixtureRuleErrorTests {
    /// In a stage with one rule, whose parts the snippet adds to.
    static func rule(_ snippet: String) -> [String] {
        FixtureErrorTests.findings(
            "memory: { people: null, day: \"\" }, stages: { start: [ { replies: [],\n\(snippet) } ] }"
        ).filter { !$0.contains("[never-filled]") && !$0.contains("[dead-end-stage]") }
    }

    /// One step of a greeting.
    static func step(_ snippet: String) -> [String] {
        FixtureErrorTests.findings(
            "memory: { people: 4, day: \"\" }, values: { place: \"here\" }, "
                + "handoffs: { \"front-desk\": {} }, faults: { tunnel: { at: \"token\", do: { drop: \"connection\" } } }, "
                + "greeting: [\n\(snippet) ]"
        ).filter { !$0.contains("[unused-handoff]") }
    }

    @Test("A question that nobody asks is told; behind another error only where it is misspelt")
    func unasked() {
        func found(_ heard: String, _ more: String) -> [String] {
            FixtureErrorTests.findings(
                """
                anywhere: [ { hears: { ask: "\(heard)" }, replies: [{ say: "a" }] },
                { hears: "x", replies: [{ ask: { name: "tip", message: "Tip?" } }] } ]\(more)
                """
            ).filter { $0.contains("[unknown-ask]") }
        }
        let wrong = ", pace: \"nope\""
        #expect(found("tip", "") == [] && found("tip", wrong) == [])
        expectEqual(found("parcel", "").count, 1)
        expectEqual(found("parcel", wrong), [])
        expectEqual(found("tpi", "").count, 1)
        expectEqual(found("tpi", wrong).count, 1)
    }

    @Test(
        "A rule knows its names, what it hears and on what condition",
        arguments: [
            (
                "hears: 'a', replys: []",
                "3:13: error: A rule has nothing called \"replys\". Did you mean \"replies\"? [unknown-name]"
            ),
            (
                "hear: 'a'",
                "3:1: error: A rule has nothing called \"hear\". Did you mean \"hears\"? [unknown-name]"
            ),
            (
                "hears: 7, then: 'start'",
                "3:8: error: \"hears\" must be a text, a list or a block in { }, not a number. [wrong-type]"
            ),
            (
                "hears: [], then: 'start'",
                "3:8: error: \"hears\" is an empty list, so there is nothing to hear. [missing-hears]"
            ),
            (
                "hears: ['a', 7], then: 'start'",
                "3:14: error: \"hears\" must be a text, a list or a block in { }, not a number. [wrong-type]"
            ),
            (
                "hears: { exact: 'a' }, then: 'start'",
                "3:10: error: A \"hears\" block has nothing called \"exact\". Did you mean \"exactly\"? [unknown-name]"
            ),
            (
                "hears: { all: 'a', none: 'b' }, then: 'start'",
                "3:8: error: A \"hears\" block has exactly one of exactly, all, none, regex, file and reaction; this one has all, none. [one-verb]"
            ),
            (
                "hears: {}, then: 'start'",
                "3:8: error: A \"hears\" block has exactly one of exactly, all, none, regex, file and reaction; this one has nothing. [one-verb]"
            ),
            (
                "hears: { reaction: 'a b' }, then: 'start'",
                "3:20: error: \"reaction\" must be a reaction such as 👍, of 40 bytes at most, not \"a b\". [wrong-type]"
            ),
            (
                "hears: { file: 'image/*g' }, then: 'start'",
                "3:16: error: \"file\" must be a media type, such as image/png, image/* or *, not \"image/*g\". [wrong-type]"
            ),
            (
                "hears: { file: 'text/plain; charset=utf-8' }, then: 'start'",
                "3:16: error: \"file\" must be a media type, such as image/png, image/* or *, not \"text/plain; charset=utf-8\". [wrong-type]"
            ),
            (
                "hears: { file: 'png' }, then: 'start'",
                "3:16: error: \"file\" must be a media type, such as image/png, image/* or *, not \"png\". [wrong-type]"
            ),
            (
                "hears: { exactly: [1] }, then: 'start'",
                "3:20: error: \"exactly\" must be a text, not a number. [wrong-type]"
            ),
            (
                "hears: { all: [] }, then: 'start'",
                "3:15: error: \"all\" is an empty list, so there is nothing to hear. [missing-hears]"
            ),
            (
                "hears: 'for {people:numbr}', then: 'start'",
                "3:21: error: There is no kind \"numbr\". Did you mean \"number\"? [unknown-kind]"
            ),
            (
                "hears: ['x', 'für {peple:number}'], then: 'start'",
                "3:19: error: \"peple\" is not in \"memory\". Did you mean \"people\"? [unknown-slot]"
            ),
            (
                "hears: '{peple:number}', then: 'start'",
                "3:9: error: \"peple\" is not in \"memory\". Did you mean \"people\"? [unknown-slot]"
            ),
            (
                "hears: '{people:number', then: 'start'",
                "3:9: error: This \"{\" is never closed. Write \"{people:number}\". [bad-phrase]"
            ),
            (
                "hears: 'for {:number}', then: 'start'",
                "3:13: error: This gap has no name. A gap looks like {people:number}. [bad-phrase]"
            ),
            (
                "hears: '?!', then: 'start'",
                "3:9: error: There is no word to hear in this text. [bad-phrase]"
            ),
            (
                "hears: { regex: '(a+)+' }, then: 'start'",
                "3:17: error: This pattern repeats a repetition, so a long message could hang it. "
                    + "Use a kind such as {people:number} instead. [slow-regex]"
            ),
            (
                "hears: { regex: 'x(?<peple>a)' }, then: 'start'",
                "3:17: error: \"peple\" is not in \"memory\". Did you mean \"people\"? [unknown-slot]"
            ),
            (
                "hears: 'a', then: 'strat'",
                "3:19: error: No stage is called \"strat\". Did you mean \"start\"? [unknown-stage]"
            ),
            (
                "hears: 'a', then: 'start', limit: 0",
                "3:35: error: \"limit\" must be a whole number from 1 to 1000000, not 0. [wrong-type]"
            ),
            (
                "hears: 'a', then: 'start', limit: '2'",
                "3:35: error: \"limit\" must be a number, not a text. [wrong-type]"
            ),
            (
                "hears: 'a', then: 'start', if: { peopl: 4 }",
                "3:34: error: \"peopl\" is not in \"memory\". Did you mean \"people\"? [unknown-slot]"
            ),
            (
                "hears: 'a', then: 'start', if: { people: true }",
                "3:42: error: \"people\" is compared with a text, a number or null.\n  fix: write { known: true } to ask whether it is filled [wrong-type]"
            ),
            (
                "hears: 'a', then: 'start', if: { people: [4] }",
                "3:42: error: \"people\" is compared with one text, number or null, not with a list. [wrong-type]"
            ),
            (
                "hears: 'a', then: 'start', if: { people: { atleast: 4 } }",
                "3:44: error: A condition has nothing called \"atleast\". Did you mean \"atLeast\"? [unknown-name]"
            ),
            (
                "hears: 'a', then: 'start', if: { people: { atLeast: '4' } }",
                "3:53: error: \"atLeast\" must be a number, not a text. [wrong-type]"
            ),
            (
                "hears: 'a', then: 'start', if: { people: {} }",
                "3:42: error: A condition needs is, isNot, atLeast, atMost or known. [missing-part]"
            ),
            (
                "hears: 'a', then: 'start', if: 4",
                "3:32: error: \"if\" must be a block in { }, not a number. [wrong-type]"
            ),
        ] as [(String, String)])
    func rules(snippet: String, finding: String) {
        let found = Self.rule(snippet).filter { !$0.contains("[missing-") || finding.contains("[missing-") }
        expectEqual(found, [finding])
    }

    @Test("A pattern that cannot be read is told where it breaks, escapes counted")
    func badPattern() throws {
        let found = Self.rule("hears: { regex: '\\\\bx(' }, then: 'start'").filter {
            $0.contains("[bad-regex]")
        }
        expectEqual(found.count, 1)
        #expect(try #require(found.first).hasPrefix("3:22: error: This pattern cannot be read: "))
    }

    @Test(
        "A rule needs something to hear and something to do",
        arguments: [
            (
                "{ replies: [], then: 'start' }",
                ["2:20: error: This rule does not say what it \"hears\". [missing-hears]"]
            ),
            (
                "{ hears: 'a', then: 'start' }",
                ["2:20: error: This rule has no \"replies\". [missing-replies]"]
            ),
            ("{ hears: 'a' }", ["2:20: error: This rule has no \"replies\". [missing-replies]"]),
            (
                "{ hears: 'a', replies: [] }",
                ["2:43: error: This rule does nothing: its \"replies\" are empty. [missing-replies]"]
            ),
            ("{ hears: 'a', replies: [], then: 'start' }", []),
            ("7", ["2:20: error: A rule must be a block in { }, not a number. [wrong-type]"]),
        ] as [(String, [String])])
    func incompleteRules(rule: String, findings: [String]) {
        expectEqual(FixtureErrorTests.findings("stages: { start: [ \(rule) ] }"), findings)
    }

    @Test("A rule of \"otherwise\" does not hear")
    func otherwise() {
        let message =
            "2:16: error: A rule of \"otherwise\" has nothing called \"hears\". It knows name, if, limit, replies, then. [unknown-name]"
        expectEqual(
            FixtureErrorTests.findings("otherwise: [ { hears: 'a', replies: [{ say: 'b' }] } ]"), [message])
    }

    @Test(
        "A step has exactly one verb, with the parts that belong to it",
        arguments: [
            (
                "{ say: 'a', wait: '1s' }",
                "3:1: error: A reply step does exactly one thing; this one has say, wait.\n"
                    + "  fix: write one step for each: { say: … }, { wait: … } [one-verb]"
            ),
            (
                "{}",
                "3:1: error: A reply step does exactly one thing; this one does nothing. Most often it is say, think, wait, remember, handoff, end, system or tool; fixtures/README.md has all. [one-verb]"
            ),
            (
                "{ sya: 'a' }",
                "3:3: error: A reply step has nothing called \"sya\". Did you mean \"say\"? [unknown-name]"
            ),
            (
                "{ say: 'a', sugest: ['b'] }",
                "3:13: error: A \"say\" step has nothing called \"sugest\". Did you mean \"suggest\"? [unknown-name]"
            ),
            (
                "{ wait: '1s', suggest: ['b'] }",
                "3:15: error: A \"wait\" step has nothing called \"suggest\". It knows wait. [unknown-name]"
            ),
            (
                "'Hello'",
                "3:1: error: A reply step must be a block in { }, not a text.\n"
                    + "  fix: write { say: 'Hello' } [wrong-type]"
            ),
            (
                "{ say: 5 }",
                "3:8: error: \"say\" must be a text or a list of texts, not a number. [wrong-type]"
            ),
            ("{ say: [] }", "3:8: error: \"say\" is an empty list: nothing to say. [missing-part]"),
            ("{ say: ['a', null] }", "3:14: error: \"say\" must be a text, not null. [wrong-type]"),
            (
                "{ say: 'For {peple}' }",
                "3:13: error: \"{peple}\" is neither in \"memory\" nor in \"values\". Did you mean \"people\"? [unknown-slot]"
            ),
            (
                "{ say: '\\u0041\\n{plac}' }",
                "3:17: error: \"{plac}\" is neither in \"memory\" nor in \"values\". Did you mean \"place\"? [unknown-slot]"
            ),
            (
                "{ say: 'Hi {agent.nam}' }",
                "3:12: error: \"{agent.nam}\" is neither in \"memory\" nor in \"values\". Did you mean \"agent.name\"? [unknown-slot]"
            ),
            (
                "{ say: '{place.words}' }",
                "3:9: error: \"{place.words}\" is neither in \"memory\" nor in \"values\". [unknown-slot]"
            ),
            (
                "{ say: '{}' }",
                "3:9: error: \"{}\" is neither in \"memory\" nor in \"values\". [unknown-slot]"
            ),
            (
                "{ say: 'a { b' }",
                "3:11: error: This \"{\" is never closed. Write \"{{\" where a brace shall stand. [unknown-slot]"
            ),
            (
                "{ say: 'a', suggest: 'b' }",
                "3:22: error: \"suggest\" must be a list in [ ], not a text.\n"
                    + "  fix: write suggest: ['b'] [wrong-type]"
            ),
            (
                "{ say: 'a', suggest: [{ payload: 'b' }] }",
                "3:23: error: A suggestion needs \"text\". [missing-part]"
            ),
            (
                "{ say: 'a', pace: 'quik' }",
                "3:19: error: No pace is called \"quik\". There is instant and natural. [unknown-pace]"
            ),
            (
                "{ say: 'ab', chunks: ['a', 'c'] }",
                "3:22: error: The chunks do not add up to the text of \"say\" in line 3.\n  fix: leave \"say\" out: the chunks are the text [wrong-type]"
            ),
            ("{ chunks: [] }", "3:11: error: \"chunks\" is an empty list: nothing to say. [missing-part]"),
            (
                "{ say: 'a', attach: [{ title: 'b' }] }",
                "3:22: error: An attachment has exactly one of \"link\", \"image\", \"file\" or \"form\". [one-verb]"
            ),
            (
                "{ say: 'a', attach: [{ link: 'example.com' }] }",
                "3:30: error: \"example.com\" is not a link. Write a whole address, such as https://example.com/map. [bad-link]"
            ),
            (
                "{ say: 'a', attach: [{ image: '{place}/x.png' }] }",
                "3:31: error: \"here/x.png\" is not a link. Write a whole address, such as https://example.com/map. [bad-link]"
            ),
            (
                "{ say: 'a', attach: [{ image: 'https://' }] }",
                "3:31: error: \"https://\" is not a link. Write a whole address, such as https://example.com/map. [bad-link]"
            ),
            (
                "{ say: 'a', call: [{ title: 'b' }] }",
                "3:20: error: A call button needs \"number\". [missing-part]"
            ),
            (
                "{ wait: 5 }",
                "3:9: error: 5 has no unit. Write \"5s\" for seconds, or \"5ms\" for milliseconds. [duration]"
            ),
            (
                "{ wait: '1 second' }",
                "3:9: error: \"1 second\" is not a length of time. Write \"1s\". [duration]"
            ),
            (
                "{ wait: '8760h' }",
                "3:9: error: \"8760h\" is too long: nothing in a fixture takes over 24 hours. [duration]"
            ),
            (
                "{ think: null }",
                "3:10: error: \"think\" must be a length of time, not null. Write \"800ms\", \"2s\", \"5m\" or \"1h\". [wrong-type]"
            ),
            (
                "{ remember: { peple: 4 } }",
                "3:15: error: \"peple\" is not in \"memory\". Did you mean \"people\"? [unknown-slot]"
            ),
            (
                "{ remember: { people: null } }",
                "3:23: error: \"people\" cannot be remembered as null.\n  fix: write { forget: \"people\" } [wrong-type]"
            ),
            (
                "{ remember: {} }",
                "3:13: error: \"remember\" says nothing to remember, such as { people: 4 }. [missing-part]"
            ),
            (
                "{ forget: ['people', 'dya'] }",
                "3:22: error: \"dya\" is not in \"memory\". Did you mean \"day\"? [unknown-slot]"
            ),
            (
                "{ handoff: 'frontdesk' }",
                "3:12: error: No handoff is called \"frontdesk\". Did you mean \"front-desk\"? [unknown-handoff]"
            ),
            (
                "{ fault: 'tunel' }",
                "3:10: error: No fault is called \"tunel\". Did you mean \"tunnel\"? [unknown-fault]"
            ),
            (
                "{ end: 'naturel' }",
                "3:8: error: \"end\" cannot be \"naturel\". Did you mean \"natural\"? [unknown-name]"
            ),
            (
                "{ end: 'later' }",
                "3:8: error: \"end\" cannot be \"later\". It can be \"natural\", \"user\" or \"abandoned\". [unknown-name]"
            ),
            (
                "{ system: 'hihg load' }",
                "3:11: error: \"system\" cannot be \"hihg load\". Did you mean \"high load\"? [unknown-name]"
            ),
            (
                "{ system: { level: 'info' } }",
                "3:11: error: A \"system\" notice needs \"text\". [missing-part]"
            ),
            (
                "{ system: { level: 'warn', text: 'a' } }",
                "3:20: error: \"level\" cannot be \"warn\". It can be \"info\", \"warning\" or \"error\". [unknown-name]"
            ),
            (
                "{ language: 'French!' }",
                "3:13: error: \"French!\" is not a language. Write a tag such as \"en\" or \"fr-CA\". [wrong-type]"
            ),
            (
                "{ language: 'en--US' }",
                "3:13: error: \"en--US\" is not a language. Write a tag such as \"en\" or \"fr-CA\". [wrong-type]"
            ),
            ("{ emit: { payload: {} } }", "3:9: error: An \"emit\" step needs \"type\". [missing-part]"),
            (
                "{ emit: { type: 'X', payload: 5 } }",
                "3:31: error: \"payload\" must be a block in { }, not a number. [wrong-type]"
            ),
            (
                "{ emit: { type: 'X', payload: { a: NaN } } }",
                "3:31: error: \"payload\" has Infinity or NaN in it, which no event can carry. [wrong-type]"
            ),
        ] as [(String, String)])
    func steps(snippet: String, finding: String) {
        expectEqual(Self.step(snippet), [finding])
    }
}

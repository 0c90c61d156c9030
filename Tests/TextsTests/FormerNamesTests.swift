import Expectations
import Testing
import Texts

@Suite("Former names")
struct FormerNamesTests {
    @Test(
        "A command with former names is the command of now; words of users stay",
        arguments: [
            ("trouble add tunnel", "fault add tunnel"), ("laws --fail", "violations --fail"),
            ("walk booking --walks=5", "simulate booking --users=5"),
            ("walk x --walks 5", "simulate x --users 5"),
            ("help trouble", "help fault"), ("clock quiet", "clock until-idle"),
            ("clock --limit 1m quiet", "clock --limit 1m until-idle"),
            ("clock --json quiet", "clock --json until-idle"),
            ("clock --limit quiet freeze", "clock --limit quiet freeze"),
            ("agent last", "takeover last"), ("help hold", "help intercept"),
            ("hold release 3 --text release", "intercept resume 3 --text release"),
            ("hold on last --release 2m", "intercept on last --release 2m"),
            ("push last --as person hello", "push last --as live-agent hello"),
            ("push last --as=person person", "push last --as=live-agent person"),
            ("push last --as agent -- --as person", "push last --as agent -- --as person"),
            ("clock advance quiet", "clock advance quiet"), ("push last quiet", "push last quiet"), ("", ""),
        ] as [(String, String)])
    func commands(former: String, now: String) {
        let words = FormerNames.command(former.split(separator: " ").map(String.init))
        expectEqual(words.joined(separator: " "), now)
    }

    @Test("A path of the control API has the name of now; an id that is spelt like a former name stays")
    func paths() {
        expectEqual(FormerNames.path(["_mock", "troubles", "3"]), ["_mock", "faults", "3"])
        expectEqual(FormerNames.path(["_mock", "laws"]), ["_mock", "violations"])
        expectEqual(FormerNames.path(["_mock", "held", "2"]), ["_mock", "intercepted", "2"])
        expectEqual(
            FormerNames.path(["_mock", "sessions", "s", "hold"]), ["_mock", "sessions", "s", "intercept"])
        expectEqual(
            FormerNames.path(["_mock", "sessions", "s", "agent"]), ["_mock", "sessions", "s", "takeover"])
        expectEqual(FormerNames.path(["_mock", "fixtures", "agent"]), ["_mock", "fixtures", "agent"])
        expectEqual(FormerNames.path(["_mock", "sessions", "laws"]), ["_mock", "sessions", "laws"])
    }
}

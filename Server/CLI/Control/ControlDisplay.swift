import ControlClient
import FixtureTools
import Texts

/// How the answer to a call is shown to people.
enum ControlDisplay: Equatable {
    case sessions
    case session
    case journal
    case ended
    case pushed
    case held
    case runs
    case wires
    case troubles
    case armed
    case clock
    case timers
    case ran
    case wire
    /// Like ``wire``, for a call that takes as long as the server does.
    case waited
    case unmatched
    case laws
    case fixtures
    case fixture
    case checked
    case saved
    case reloaded
    case imported
    case health
    case tried
    /// The answer as it is.
    case text
    /// A sentence instead of the answer.
    case done(String)

    /// Text for people. What is not JSON is shown as it is.
    func answer(_ answer: ControlAnswer) -> ToolAnswer {
        guard self != .text, let json = answer.json else {
            if case .done(let sentence) = self { return ToolAnswer(talk: [sentence]) }
            return ToolAnswer(lines: Self.lines(of: answer.text))
        }
        return self.answer(json)
    }

    func answer(_ json: JSONValue) -> ToolAnswer {
        switch self {
        case .sessions: ControlTables.sessions(json)
        case .session: ControlTables.session(json)
        case .journal: ControlTables.journal(json)
        case .ended: ToolAnswer(talk: ["the session has ended"])
        case .pushed: ControlTables.pushed(json)
        case .held: ControlTables.held(json)
        case .runs: ControlTables.runs(json)
        case .wires: ControlTables.wires(json)
        case .troubles: ControlTables.troubles(json)
        case .armed: ControlTables.armed(json)
        case .clock: ControlTables.clock(json)
        case .timers: ControlTables.timers(json)
        case .ran: ToolAnswer(lines: (json["ran"]?.array ?? []).map { "ran: " + FactText.text($0) })
        case .wire, .waited: ControlTables.wire(json)
        case .unmatched: ControlTables.unmatched(json)
        case .laws: ControlTables.laws(json)
        case .fixtures: ControlTables.fixtures(json)
        case .fixture: ControlTables.fixture(json)
        case .checked: ControlTables.checked(json)
        case .saved: ControlTables.saved(json)
        case .reloaded: ControlTables.news(json)
        case .imported: ControlTables.imported(json)
        case .tried: ControlTables.tried(json)
        case .health: ToolAnswer(lines: FactText.facts(json))
        case .text: ToolAnswer(lines: [FactText.compact(json)])
        case .done(let sentence): ToolAnswer(talk: [sentence])
        }
    }

    /// The lines of a text without the last line end, which printing adds.
    static func lines(of text: String) -> [String] {
        var lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map { String($0) }
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}

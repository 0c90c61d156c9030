import ConversationEngine
import Texts

extension FixtureCompiler {
    mutating func compileFault(_ member: JSON5Member, number: Int, also: [String] = []) {
        let place = document.place(at: member.nameStart)
        var fault = Fault(name: member.name, place: place, moment: .anyEvent, effect: .drop)
        map.moments.append(place)
        if let block = block(member.value, .fault, also: also) {
            if let at = block["at"] {
                map.moments[number] = self.place(of: at)
                if let moment = moment(at) { fault.moment = moment }
            }
            if let effect = block["do"].flatMap({ effect($0) }) { fault.effect = effect }
            fault.times = block["times"].flatMap { whole($0, "times", in: 1...FixtureLimits.repetitions) }
            if let per = block["per"] {
                fault.chosenSpan = span(per, ofRequest: fault.moment.kind.stage == .opening)
            }
            if let chance = block["chance"].flatMap({ share($0, "chance") }) { fault.chance = chance }
        }
        script.faults.append(fault)
    }

    /// Reads `per`: the scope in which the fault's `times` are counted.
    private mutating func span(_ value: JSON5Value, ofRequest: Bool) -> Fault.Span? {
        let span = word(value, "per", among: Fault.Span.allCases.map(\.rawValue))
            .flatMap(Fault.Span.init(rawValue:))
        if span == .session, ofRequest {
            report(.wrongType, at: value, "There is no session at this moment: it counts per \"token\".")
            return nil
        }
        return span
    }

    private mutating func moment(_ value: JSON5Value) -> Fault.Moment? {
        guard let text = text(value, "at") else { return nil }
        if let moment = ValueSyntax.moment(text) { return moment }
        if let now = FormerNames.triggers[text] {
            reportFormer(text, now, at: value.start)
            return nil
        }
        let forms = Fault.Moment.Kind.allCases.map(\.rawValue)
        let near = NearestName.suggestion(for: ValueSyntax.momentShape(text), among: forms)
        let help =
            near.map { "Did you mean something like \"\($0)\"?" }
            ?? "Moments are \(MessageFormat.alternatives(forms.map { "\"\($0)\"" })), with any number."
        report(.unknownName, at: value, "\"\(MessageFormat.shortened(text))\" is not a moment. \(help)")
        return nil
    }
}

import ConversationEngine
import Matching
import Patterns

/// Compiles rules with their matchers and conditions (fixtures/README.md#what-is-heard).
extension FixtureCompiler {
    enum RuleKind {
        /// A rule that must have `hears`.
        case listening
        /// A rule of `otherwise`, which has no `hears`.
        case lastResort
    }

    mutating func compileRules(_ value: JSON5Value, _ name: String, _ kind: RuleKind) -> [Rule] {
        var rules: [Rule] = []
        for item in list(value, name) ?? [] {
            ruleCount += 1
            if ruleCount > FixtureLimits.rules {
                if ruleCount == FixtureLimits.rules + 1 {
                    report(.tooMany, at: item, "A fixture has at most \(FixtureLimits.rules) rules.")
                }
                break
            }
            if let rule = compileRule(item, kind) { rules.append(rule) }
        }
        return rules
    }

    private mutating func compileRule(_ value: JSON5Value, _ kind: RuleKind) -> Rule? {
        guard let block = block(value, kind == .listening ? .rule : .lastRule) else { return nil }
        var rule = Rule(place: place(of: value), steps: [])
        rule.name = block["name"].flatMap { filledText($0, "name") }
        if let hears = block["hears"] {
            rule.answers = compileAnswer(hears)
            if rule.answers == nil { rule.hears = compileHears(hears, "hears") }
            rule.hearsPlace = self.place(of: hears)
        } else if kind == .listening, !block.has("hears") {
            report(.missingHears, at: value, "This rule does not say what it \"hears\".")
        }
        if block["if"] != nil || block["limit"] != nil { map.guarded.insert(rule.place) }
        if let conditions = block["if"] { rule.conditions = compileConditions(conditions) }
        rule.limit = block["limit"].flatMap { whole($0, "limit", in: 1...FixtureLimits.repetitions) }
        if let then = block["then"], let name = text(then, "then") { rule.then = stage(name, at: then) }
        if let replies = block["replies"] {
            rule.steps = steps(replies, "replies")
            checkRunOrder(rule.steps)
            if replies.content == .list([]), block["then"] == nil {
                report(.missingReplies, at: replies, "This rule does nothing: its \"replies\" are empty.")
            }
        } else if !block.has("replies") {
            report(.missingReplies, at: value, "This rule has no \"replies\".")
        }
        return rule
    }

    /// Reads `hears` for something other than words, such as `{ tool: "pick_date" }`; nil if that fails.
    private mutating func compileAnswer(_ value: JSON5Value) -> AnswerKind? {
        guard case .object(let members) = value.content, members.count == 1, let member = members.first else {
            return nil
        }
        switch member.name {
        case "tool": return toolNumber(member.value).map { .tool($0) }
        case "ask":
            guard let name = filledText(member.value, "ask") else { return nil }
            map.heardQuestions.append((name, member.value.start))
            return .ask(name)
        case "file": return compileFileType(member.value).map { .file($0) }
        case "reaction": return reaction(member.value, "reaction").map { .reaction($0) }
        default: return nil
        }
    }

    /// Compiles the media type of a file: `image/png`, `image/*` or `*`.
    private mutating func compileFileType(_ value: JSON5Value) -> String? {
        guard let type = filledText(value, "file") else { return nil }
        let parts = type.split(separator: "/", omittingEmptySubsequences: false)
        guard
            type == "*"
                || parts.count == 2 && parts.allSatisfy({ !$0.isEmpty }) && !parts[0].contains("*")
                    && (parts[1] == "*" || !parts[1].contains("*"))
                    && !type.contains(where: { $0 == ";" || $0.isWhitespace })
        else {
            report(
                .wrongType, at: value,
                "\"file\" must be a media type, such as image/png, image/* or *, not \"\(MessageFormat.shortened(type))\"."
            )
            return nil
        }
        return type
    }

    // MARK: hears

    private mutating func compileHears(_ value: JSON5Value, _ name: String) -> Hears? {
        switch value.content {
        case .text(let text): return phrase(text, value).map { text == "*" ? .anything : .phrase($0) }
        case .list: return compileMatchers(value, name).map { .any($0) }
        case .object: return compileMatcherBlock(value)
        default:
            report(
                .wrongType, at: value,
                "\"\(name)\" must be a text, a list or a block in { }, not \(value.kindName).")
            return nil
        }
    }

    private mutating func compileMatcherBlock(_ value: JSON5Value) -> Hears? {
        guard let block = block(value, .matcher) else { return nil }
        guard block.members.count == 1, let member = block.members.first else {
            if case .object(let all) = value.content, all.count != block.members.count { return nil }
            let found = block.members.map(\.name).joined(separator: ", ")
            let has = found.isEmpty ? "nothing" : found
            report(
                .oneVerb, at: value,
                "A \"hears\" block has exactly one of exactly, all, none, regex, file and reaction; this one has \(has)."
            )
            return nil
        }
        switch member.name {
        case "exactly": return compileExactly(member.value)
        case "all": return compileMatchers(member.value, "all").map { .all($0) }
        case "none": return compileMatchers(member.value, "none").map { .none($0) }
        default: return compilePattern(member.value)
        }
    }

    private mutating func compileMatchers(_ value: JSON5Value, _ name: String) -> [Hears]? {
        guard case .list(let items) = value.content else { return compileHears(value, name).map { [$0] } }
        guard !items.isEmpty else {
            report(.missingHears, at: value, "\"\(name)\" is an empty list, so there is nothing to hear.")
            return nil
        }
        var matchers: [Hears] = []
        for item in items {
            if let matcher = compileHears(item, name) { matchers.append(matcher) }
        }
        return matchers.count == items.count ? matchers : nil
    }

    private mutating func compileExactly(_ value: JSON5Value) -> Hears? {
        guard case .list(let items) = value.content else {
            guard let text = text(value, "exactly") else { return nil }
            return exactPhrase(text, value).map { .exactly($0) }
        }
        guard !items.isEmpty else {
            report(.missingHears, at: value, "\"exactly\" is an empty list, so there is nothing to hear.")
            return nil
        }
        var matchers: [Hears] = []
        for item in items {
            guard let text = text(item, "exactly"), let phrase = exactPhrase(text, item) else { continue }
            matchers.append(.exactly(phrase))
        }
        return matchers.count == items.count ? .any(matchers) : nil
    }

    private mutating func exactPhrase(_ text: String, _ value: JSON5Value) -> Phrase? {
        guard text != "*" else {
            report(
                .badPhrase, at: value,
                "\"exactly\" needs words; \"*\" hears anything only when it stands "
                    + "alone.",
                fix: "write hears: \"*\" to hear anything")
            return nil
        }
        return phrase(text, value)
    }

    private mutating func phrase(_ text: String, _ value: JSON5Value) -> Phrase? {
        guard isShortEnough(text, value) else { return nil }
        do throws(Listening.Problem) {
            let phrase = try Listening.phrase(text, kinds: kinds)
            var isKnown = true
            for kind in phrase.slots.compactMap(\.own) { map.usedKinds.insert(kind.name) }
            for slot in phrase.slots {
                if !fills(slot.name, value, textOffset: slot.offset, by: Self.filler(of: slot)) {
                    isKnown = false
                }
                let isKind = kinds.contains { $0.name == slot.name } || SlotKind(rawValue: slot.name) != nil
                if isKind, slot.own == nil, slot.kind == .words, slot.name != "words" {
                    map.untyped.append((slot.name, document.offset(of: slot.offset, in: value)))
                }
            }
            return isKnown ? phrase : nil
        } catch {
            reportListening(error, value)
            return nil
        }
    }

    /// Returns the name of the slot's entity type in ``SourceMap/fillers``.
    private static func filler(of slot: Phrase.Slot) -> String {
        slot.own?.name ?? (slot.kind == .number ? SourceMap.numbers : "")
    }

    private mutating func compilePattern(_ value: JSON5Value) -> Hears? {
        guard let text = filledText(value, "regex"), isShortEnough(text, value) else { return nil }
        do throws(Listening.Problem) {
            let pattern = try Listening.pattern(text)
            var isKnown = true
            for group in pattern.groupNames where !fills(group, value, textOffset: nil) { isKnown = false }
            return isKnown ? .pattern(pattern) : nil
        } catch {
            reportListening(error, value)
            return nil
        }
    }

    private mutating func reportListening(_ problem: Listening.Problem, _ value: JSON5Value) {
        if let textOffset = problem.offset {
            let offset = document.offset(of: textOffset, in: value)
            report(
                problem.code, at: offset, problem.message,
                replacement: problem.gap.flatMap { closed($0, at: offset) })
        } else {
            report(problem.code, at: value, problem.message)
        }
    }

    private mutating func isShortEnough(_ text: String, _ value: JSON5Value) -> Bool {
        let count = text.utf8.count
        guard count > FixtureLimits.phraseBytes else { return true }
        report(
            .tooMany, at: value,
            "There are \(count) bytes to listen for here; \(FixtureLimits.phraseBytes) are the most.")
        return false
    }

    /// Records that a matcher fills `slot`. Returns false if `memory` does not declare the slot.
    private mutating func fills(
        _ slot: String, _ value: JSON5Value, textOffset: Int?, by kind: String = ""
    ) -> Bool {
        let offset = textOffset.map { document.offset(of: $0, in: value) } ?? value.start
        guard let slot = memorySlot(slot, at: offset) else { return false }
        map.filled.insert(slot)
        map.fillers[slot, default: []].insert(kind)
        return true
    }

    // MARK: if

    mutating func compileConditions(_ value: JSON5Value, of name: String = "if") -> [Condition] {
        var conditions: [Condition] = []
        for member in members(of: value, "\"\(name)\"") ?? [] {
            if member.name == "now" {
                if let hours = hours(member.value) {
                    conditions.append(Condition(slot: "now", test: .isWithin(hours)))
                }
                continue
            }
            let slot: String
            if DeclaredNames.isGiven(member.name) {
                guard knowsGiven(member.name, at: member.nameStart) else { continue }
                slot = member.name
            } else {
                guard let known = memorySlot(member.name, at: member.nameStart) else { continue }
                slot = known
                if case .text(let text) = member.value.content {
                    map.compared.append((slot, text, member.value))
                } else if let value = member.value["is"], case .text(let text) = value.content {
                    map.compared.append((slot, text, value))
                }
            }
            conditions += tests(member.value, slot: slot).map { Condition(slot: slot, test: $0) }
        }
        return conditions
    }

    /// Reads the tests of one slot.
    private mutating func tests(_ value: JSON5Value, slot: String) -> [Condition.Test] {
        switch value.content {
        case .null: return [.isKnown(false)]
        case .text, .number:
            guard let text = constant(value) else {
                report(.wrongType, at: value, "\"\(slot)\" cannot be compared with this number.")
                return []
            }
            return [.equals(text)]
        case .boolean:
            report(
                .wrongType, at: value, "\"\(slot)\" is compared with a text, a number or null.",
                fix: "write { known: true } to ask whether it is filled")
            return []
        case .list:
            report(
                .wrongType, at: value,
                "\"\(slot)\" is compared with one text, number or null, not with a list.")
            return []
        case .object:
            guard let block = block(value, .condition) else { return [] }
            if value.content == .object([]) {
                report(
                    .missingPart, at: value,
                    "A condition needs \(MessageFormat.alternatives(BlockForm.condition.names)).")
            }
            return block.members.compactMap { test($0) }
        }
    }

    private mutating func test(_ member: JSON5Member) -> Condition.Test? {
        switch member.name {
        case "atLeast": return number(member.value, "atLeast").map { .atLeast($0) }
        case "atMost": return number(member.value, "atMost").map { .atMost($0) }
        case "known": return flag(member.value, "known").map { .isKnown($0) }
        default:
            if member.value.content == .null { return .isKnown(member.name == "isNot") }
            guard let text = constant(member.value) else {
                report(
                    .wrongType, at: member.value,
                    "\"\(member.name)\" must be a text, a number or null, not \(member.value.kindName).")
                return nil
            }
            return member.name == "is" ? .equals(text) : .differs(text)
        }
    }
}

import Texts

/// Near miss: a rule that did not answer a message, with reason and score.
package struct NearMiss: Equatable, Sendable {
    /// Rule to compare with the message.
    package struct Candidate: Sendable {
        package var name: String
        package var place: SourcePlace
        package var hears: Hears
        package var hearsPlace: SourcePlace
        package var obstacle: Obstacle
        package var conditions: [Condition]
        /// Section of the fixture that contains the rule: `stage start`, `anywhere`, `handoff desk`.
        package var section: String

        package init(
            name: String, place: SourcePlace = SourcePlace(), hears: Hears,
            hearsPlace: SourcePlace = SourcePlace(), obstacle: Obstacle = .none,
            conditions: [Condition] = [], section: String = ""
        ) {
            self.name = name
            self.section = section
            self.place = place
            self.hears = hears
            self.hearsPlace = hearsPlace
            self.obstacle = obstacle
            self.conditions = conditions
        }
    }

    /// Circumstance that keeps a matching rule from answering.
    package enum Obstacle: Equatable, Sendable {
        case none
        case stage(String)
        /// This test of the rule's `if` fails.
        case condition(String)
        case limit(Int)
        /// An earlier rule, with this name, answers the message.
        case earlier(String)
    }

    package enum Reason: Equatable, Sendable {
        case spelling(word: String, heard: String, letters: Int)
        /// Two words are alike, but only whole words match.
        case stem(word: String, heard: String)
        /// The rule matches, but cannot answer, for example because of a condition or its stage.
        case blocked(Captures, Obstacle)
        /// The message has other words, but the phrase must be the whole message.
        case notAlone(String)
        /// Some words or placeholders are missing.
        case part(present: [String], missing: [String])
        /// All words of the phrase are present, but reordered or separated.
        case scattered([String])
        case unwanted
        /// The rule matches files of another media type.
        case otherType(String, given: String)
        case nothingInCommon
    }

    package var name: String
    package var place: SourcePlace
    package var hearsPlace: SourcePlace
    package var section: String
    package var obstacle: Obstacle
    package var reason: Reason
    /// Similarity from 0 (nothing in common) to 1000.
    package var score: Int

    /// Returns the nearest of these rules, with the best first.
    package static func nearest(_ misses: [NearMiss], count: Int = 3) -> [NearMiss] {
        Array(
            misses.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
                .prefix(count).map(\.element))
    }

    /// Returns the nearest rules, best first. Conditions use `memory` and the rule's own captures.
    package static func nearest(
        to heard: PreparedMessage, among candidates: [Candidate], memory: [String: String] = [:],
        count: Int = 3
    ) -> [NearMiss] {
        let scorer = NearMissScorer(heard, memory: memory)
        return nearest(candidates.map { scorer.miss($0) }, count: count)
    }

    package var explanation: String {
        let words: String
        switch reason {
        case .spelling(let word, let heard, let letters):
            words = "\"\(word)\" is \(letters == 1 ? "one letter" : "two letters") away from \"\(heard)\""
        case .stem(let word, let heard):
            words = "\"\(heard)\" is close to \"\(word)\", but only whole words are heard"
        case .blocked(let captures, let obstacle): return NearMiss.blocked(captures, obstacle)
        case .notAlone(let phrase): words = "\"\(phrase)\" is heard only when it is the whole message"
        case .part(let present, let missing):
            words = "has \(NearMiss.list(present)), misses \(NearMiss.list(missing))"
        case .scattered(let parts):
            words = "has \(NearMiss.list(parts)), but not next to each other in this order"
        case .unwanted: words = "something it must not contain was said"
        case .otherType(let type, let given): words = "hears files of \(type), not of \(given)"
        case .nothingInCommon: return "no word in common"
        }
        if case .stage(let stage) = obstacle { return words + " (stage \"\(stage)\")" }
        return words
    }

    /// Change to the fixture that would make the rule match, or nil.
    package var advice: String? {
        switch reason {
        case .spelling(_, let heard, _), .stem(_, let heard):
            if hearsPlace.line > 0 { return "add \"\(heard)\" to line \(hearsPlace.line)" }
            return "add \"\(heard)\" to what \"\(name)\" hears"
        case .blocked(_, .stage(let stage)): return "start with stage \"\(stage)\""
        case .notAlone(let phrase): return "let \"\(name)\" hear \"\(phrase)\" without \"exactly\""
        case .scattered: return "use \"all\" in \"\(name)\", so that the order does not matter"
        case .otherType(_, let given):
            let type = String(given.prefix { $0 != ";" })
            return "let \"\(name)\" hear { file: \"\(type)\" }"
        case .blocked, .part, .unwanted, .nothingInCommon: return nil
        }
    }

    private static func blocked(_ captures: Captures, _ obstacle: Obstacle) -> String {
        let values = captures.entries.map { "{\($0.name)} = \($0.value)" }.joined(separator: ", ")
        let fits = "would fit" + (values.isEmpty ? "" : " (\(values))")
        switch obstacle {
        case .none: return fits
        case .stage(let stage): return "\(fits), but belongs to stage \"\(stage)\""
        case .condition(let test): return "\(fits), but its \"if\" does not hold: \(test)"
        case .limit(let limit): return "\(fits), but has answered \(Counted.text(limit, "time")) already"
        case .earlier(let name): return "\(fits), but \"\(name)\" is asked first"
        }
    }

    private static func list(_ parts: [String]) -> String {
        let shown = parts.prefix(4).joined(separator: ", ")
        return parts.count > 4 ? shown + " and more" : shown
    }
}

extension NearMiss {
    /// Creates the near miss of a rule for files of `fileType`. `given` is the type of the file; `matches`: the types
    /// match.
    package init(
        name: String, place: SourcePlace, hearsPlace: SourcePlace, section: String, obstacle: Obstacle,
        fileType: String, given: String, matches: Bool
    ) {
        (self.name, self.place, self.hearsPlace) = (name, place, hearsPlace)
        (self.section, self.obstacle) = (section, obstacle)
        let kinds = [fileType, given].map { $0.prefix { $0 != "/" }.lowercased() }
        reason = matches ? .blocked(Captures(), obstacle) : .otherType(fileType, given: given)
        score = matches ? 900 : kinds[0] == kinds[1] ? 500 : 0
    }
}

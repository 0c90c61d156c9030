import Matching
import Patterns
import Texts

enum Listening {
    struct Problem: Error, Equatable {
        var code: FindingCode
        var message: String
        /// Offset of the error in UTF-8 bytes; nil if the error concerns the whole text.
        var offset: Int?
        /// Name and kind of a placeholder that is never closed.
        var gap: String?
    }

    static func phrase(_ source: String, kinds: [OwnKind] = []) throws(Problem) -> Phrase {
        do throws(PhraseError) {
            return try Phrase(source, kinds: kinds)
        } catch {
            throw problem(error, kinds)
        }
    }

    static func pattern(_ source: String) throws(Problem) -> RegularExpression {
        let pattern: RegularExpression
        do throws(PatternError) {
            pattern = try RegularExpression(hears: source)
        } catch {
            throw Problem(
                code: .badRegex, message: "This pattern cannot be read: \(error.message)",
                offset: error.offset)
        }
        guard !pattern.repeatsARepetition else {
            throw Problem(
                code: .slowRegex,
                message: "This pattern repeats a repetition, so a long message could hang it. "
                    + "Use a kind such as {people:number} instead.", offset: nil)
        }
        return pattern
    }

    private static func problem(_ error: PhraseError, _ own: [OwnKind]) -> Problem {
        let code: FindingCode
        let message: String
        switch error.kind {
        case .unknownKind(let kind):
            let kinds = SlotKind.allCases.map(\.rawValue) + own.map(\.name)
            let help =
                NearestName.suggestion(for: kind, among: kinds).map { "Did you mean \"\($0)\"?" }
                ?? "The kinds are \(MessageFormat.conjunction(kinds)); \"kinds\" declares others."
            code = .unknownKind
            message = "There is no kind \"\(MessageFormat.shortened(kind))\". \(help)"
        case .unclosedGap(let gap):
            let help =
                gap.isEmpty
                ? "A gap looks like {people:number}." : "Write \"{\(MessageFormat.shortened(gap))}\"."
            code = .badPhrase
            message = "This \"{\" is never closed. \(help)"
        case .emptyGap:
            code = .badPhrase
            message = "This gap has no name. A gap looks like {people:number}."
        case .empty:
            code = .badPhrase
            message = "There is no word to hear in this text."
        case .badSlotName(let name):
            code = .badPhrase
            message =
                "\"\(MessageFormat.shortened(name))\" cannot be the name of a gap: a name has letters, digits, "
                + "_ and -, "
                + "and begins with a letter."
        case .tooLong:
            code = .tooMany
            message =
                "This text has too many words to listen for; \(MatchingLimits.phraseElements) are the most."
        }
        let gap: String? = if case .unclosedGap(let gap) = error.kind { gap } else { nil }
        return Problem(code: code, message: message, offset: error.offset, gap: gap)
    }
}

import ConversationEngine
import Matching
import Texts

/// Parser of texts with placeholders, such as `Hello {name}` (fixtures/README.md).
enum TemplateReader {
    struct Problem: Error {
        var message: String
        var offset: Int
        /// The name after an unclosed brace.
        var name: String
    }

    /// Parses a text. `{name}` is a placeholder; `{{` and `}}` are single braces; a lone `}` is plain text.
    static func template(_ text: String) throws(Problem) -> Template {
        let bytes = Array(text.utf8)
        var parts: [Template.Part] = []
        var words: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            let isDouble = index + 1 < bytes.count && bytes[index + 1] == byte
            if byte == UInt8(ascii: "{"), !isDouble {
                guard let close = bytes[index...].firstIndex(of: UInt8(ascii: "}")),
                    !bytes[(index + 1)..<close].contains(byte)
                else {
                    let name = PhraseError.name(in: bytes, after: index)
                    let closed = name.isEmpty ? "" : "\"{\(MessageFormat.shortened(name))}\", or "
                    throw Problem(
                        message: "This \"{\" is never closed. "
                            + "Write \(closed)\"{{\" where a brace shall stand.",
                        offset: index, name: name)
                }
                if !words.isEmpty { parts.append(.text(String(decoding: words, as: UTF8.self))) }
                words.removeAll()
                parts.append(
                    .slot(String(decoding: bytes[(index + 1)..<close], as: UTF8.self), offset: index))
                index = close + 1
                continue
            }
            words.append(byte)
            let isBrace = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}")
            index += isBrace && isDouble ? 2 : 1
        }
        if !words.isEmpty { parts.append(.text(String(decoding: words, as: UTF8.self))) }
        return Template(parts: parts)
    }
}

extension FixtureCompiler {
    mutating func template(_ value: JSON5Value, _ name: String) -> Template? {
        guard let text = text(value, name) else { return nil }
        if text.utf8.count > FixtureLimits.messageBytes {
            warn(
                .tooLong, at: place(of: value),
                "This text has \(text.utf8.count) bytes; a message carries \(FixtureLimits.messageBytes).")
        }
        do throws(TemplateReader.Problem) {
            let template = try TemplateReader.template(text)
            var isKnown = true
            for (slot, offset) in template.slots where !knows(slot) {
                if DeclaredNames.isGiven(slot) {
                    isKnown = knowsGiven(slot, at: document.offset(of: offset, in: value)) && isKnown
                } else {
                    isKnown = false
                    reportUnknownSlot(slot, inside: value, textOffset: offset)
                }
            }
            return isKnown ? template : nil
        } catch {
            let offset = document.offset(of: error.offset, in: value)
            report(
                .unknownSlot, at: offset, error.message,
                replacement: knows(error.name) ? closed(error.name, at: offset) : nil)
            return nil
        }
    }

    /// Returns an edit that closes the placeholder at `offset`; nil if its name is written with escapes.
    func closed(_ name: String, at offset: Int) -> Finding.Replacement? {
        let open = "{" + name
        guard !name.isEmpty, document.bytes[offset...].starts(with: open.utf8) else { return nil }
        return replacement(of: open, from: offset, by: open + "}")
    }

    /// Whether the placeholder is declared or built in.
    private func knows(_ slot: String) -> Bool {
        if names.memory.contains(slot) || names.values[slot] != nil { return true }
        if DeclaredNames.builtIn.contains(slot) { return true }
        return slot.hasSuffix(".words") && names.memory.contains(String(slot.dropLast(6)))
    }

    private mutating func reportUnknownSlot(_ slot: String, inside value: JSON5Value, textOffset: Int) {
        guard tellsErrors else { return }
        if let now = FormerNames.placeholders[slot] {
            return reportFormer(slot, now, at: document.offset(of: textOffset, in: value))
        }
        let shown = "{\(MessageFormat.shortened(slot))}"
        reportMissing(
            .unknownSlot, "\"\(shown)\" is neither in \"memory\" nor in \"values\".", slot,
            in: ["memory", "values"], among: names.slots + DeclaredNames.builtIn,
            at: document.offset(of: textOffset, in: value), fix: Self.filling(slot))
    }

    /// Returns advice on how to declare and fill the slot `name`; nil if the name is invalid.
    private static func filling(_ name: String) -> String? {
        guard isSlotName(name) else { return nil }
        return "add memory: { \(name): null }, and fill it with hears: \"… {\(name)} …\" or "
            + "remember: { \(name): \"…\" }"
    }

    /// Returns `name` if `memory` declares it. Otherwise reports it and returns nil.
    mutating func memorySlot(_ name: String, at offset: Int) -> String? {
        if names.memory.contains(name) { return name }
        reportMissing(
            .unknownSlot, "\"\(MessageFormat.shortened(name))\" is not in \"memory\".", name, in: ["memory"],
            among: script.memory.map(\.name), at: offset,
            fix: Self.isSlotName(name) ? "write memory: { \(name): null } at the top" : nil)
        return nil
    }
}

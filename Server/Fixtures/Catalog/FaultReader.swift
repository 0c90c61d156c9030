package import ConversationEngine

/// Reader of one fault in the notation of fixtures: `{ at: "reply 2 chunk 2", do: { drop: "connection" } }`.
package enum FaultReader {
    /// Reads a fault from its moment and its effect, both in the notation of fixtures.
    ///
    /// - Parameters:
    ///   - moment: the moment, such as `reply 2 chunk 2`.
    ///   - effect: the effect, such as `stall: '5s'`. Braces around the effect are optional.
    ///   - others: members other than `at` and `do`, in the notation of an object without its braces.
    ///   - also: names of further members, which are ignored.
    /// - Returns: the fault, or a sentence that says what is wrong.
    package static func read(
        at moment: String, do effect: String, others: String = "", also: [String] = []
    ) -> Result<Fault, ScenarioProblem> {
        let words = effect.drop { $0.isWhitespace }
        guard !words.isEmpty else {
            return .failure(ScenarioProblem("A fault needs something to do, such as drop: \"connection\"."))
        }
        // Without the line break, a `//` comment at the end of the effect would hide the brace.
        let block = words.hasPrefix("{") ? "\(words)\n" : "{ \(words)\n}"
        let members = [others, "at: \(quoted(moment))", "do: \(block)"].filter { !$0.isEmpty }
        return read(Array("{ \(members.joined(separator: ", ")) }".utf8), also: also)
    }

    /// Returns `text` as a JSON5 string. Control characters become spaces.
    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case _ where scalar.value < 0x20: " "
            default: String(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }

    /// Reads a fault from a JSON5 block.
    ///
    /// - Parameters:
    ///   - text: a JSON5 block with `at`, `do` and optional members.
    ///   - also: names of further members, which are ignored.
    /// - Returns: the fault, or a sentence that says what is wrong.
    package static func read(_ text: [UInt8], also: [String] = []) -> Result<Fault, ScenarioProblem> {
        let document = JSON5Document(reading: text)
        var compiler = FixtureCompiler(document: document, fileName: "fault", name: "fault")
        for problem in document.problems { compiler.report(.syntax, at: problem.offset, problem.message) }
        guard let root = document.root else { return .failure(problem(of: compiler)) }
        // If the block has no `name`, its moment is the fault's name.
        let names = ["name", "at"].compactMap { key in
            if case .text(let text)? = root[key]?.content, !text.isEmpty { text } else { String?.none }
        }
        let name = names.first ?? "fault"
        compiler.compileFault(
            JSON5Member(name: name, nameStart: root.start, value: root), number: 0, also: ["name"] + also)
        guard let fault = compiler.script.faults.first, compiler.findings.isEmpty else {
            return .failure(problem(of: compiler))
        }
        if let reason = fault.effect.kind.target.absence(at: fault.moment) {
            return .failure(ScenarioProblem(reason))
        }
        return .success(fault)
    }

    private static func problem(of compiler: FixtureCompiler) -> ScenarioProblem {
        let sentences = compiler.findings.map { finding in
            finding.message + (finding.fix.map { " Fix: \($0)." } ?? "")
        }
        return ScenarioProblem(
            sentences.isEmpty
                ? "A fault is a block with \"at\" and \"do\"." : sentences.joined(separator: " "))
    }
}

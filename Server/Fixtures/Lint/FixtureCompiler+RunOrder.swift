import ConversationEngine
import Matching
import RunWire

/// Runs whose events come in an order that AG-UI does not allow, unless a step says that this is a fault.
extension FixtureCompiler {
    mutating func checkRunOrder(_ steps: [Step]) {
        var order = RunOrder()
        var last: Step?
        for step in steps {
            guard case .run(let run) = step.verb else { continue }
            last = step
            guard let problem = order.take(run) else { continue }
            return tell(problem, of: step)
        }
        if let last, let problem = order.finish() { tell(problem, of: last) }
    }

    private mutating func tell(_ problem: RunOrder.Problem, of step: Step) {
        report(
            .runOrder, at: step.place, problem.message,
            fix: problem.isOrder
                ? "write what breaks the order on purpose as an \"event\" with fault: true" : nil)
    }
}

/// The events of one turn, as far as steps write them out.
private struct RunOrder {
    struct Problem {
        var message: String
        var isOrder = true
    }

    private var verifier = Self.begun
    private var isAtFault = false
    private var isOver = false

    /// What gaps stand for that name the run itself.
    private static let ids = ["run.thread": "t", "run.id": "r"]

    private static var begun: RunVerifier {
        var verifier = RunVerifier(profile: .v1)
        _ = try? verifier.consume(RunEvent(.runStarted(RunStart(threadID: "t", runID: "r"))))
        return verifier
    }

    mutating func take(_ step: RunStep) -> Problem? {
        switch step {
        case .stepStarted(let name): return consume(RunEvent(.stepStarted(name: name)))
        case .stepFinished(let name): return consume(RunEvent(.stepFinished(name: name)))
        case .subagentStarted(let name, _, _):
            return consume(RunEvent(.subagentStarted(SubagentStart(id: name, name: name))))
        case .subagentEnded(let name, _, _):
            return consume(RunEvent(.subagentFinished(id: name, result: nil, outcome: nil)))
        case .fail, .cancel: isOver = true
        case .ask:
            // It closes what is open; the next run begins with the answer.
            verifier = Self.begun
        case .event(let value, let isFault, let endsRun):
            isAtFault = isAtFault || isFault
            guard !isFault else { return nil }
            do throws(RunFormatError) {
                let event = try RunEventReader.read(Array(value.filled { Self.ids[$0] ?? "x" }.utf8))
                if let problem = consume(event) { return problem }
                isOver = isOver || endsRun
            } catch {
                return Problem(message: "This is no event of AG-UI: \(error).", isOrder: false)
            }
        default: break
        }
        return nil
    }

    /// What is wrong with the end of the run behind the last step.
    mutating func finish() -> Problem? {
        consume(RunEvent(.runFinished(RunFinish(threadID: "t", runID: "r"))))
    }

    private mutating func consume(_ event: RunEvent) -> Problem? {
        guard !isAtFault, !isOver else { return nil }
        do throws(RunViolation) {
            _ = try verifier.consume(event)
            return nil
        } catch {
            return Problem(message: error.description)
        }
    }
}

import Clocks
import Texts
import Timeline

/// Budget of work on rows in one turn of the loop, in steps.
final class StepBudget {
    private let most: Int
    private(set) var spent = 0
    /// Steps spent on examining waits and feeds, without their rows.
    private var visits = 0

    init(most: Int = ServerLimits.Control.turnSteps) { self.most = most }

    var left: Int { max(0, most - spent - visits) }

    func renew() { (spent, visits) = (0, 0) }

    /// Takes the steps for examining `count` waits and feeds, or returns false.
    func visit(_ count: Int) -> Bool {
        let steps = count * ServerLimits.Control.watcherSteps
        guard visits == 0 || steps <= left else { return false }
        visits += steps
        return true
    }

    /// Takes `steps` if enough are left. With `alone`, also if nothing was spent yet.
    func spend(_ steps: Int, alone: Bool = false) -> Bool {
        guard steps <= left || alone && spent == 0 else { return false }
        spent = min(most, spent + steps)
        return true
    }
}

/// One turn of waits and feeds within the budget, with a cache of rows and texts.
final class WatchTurn {
    private let timeline: Timeline
    private let budget: StepBudget
    private var rows: [UInt64: Row] = [:]
    private var texts: [Text: [UInt8]] = [:]
    private(set) var isOver = false
    var hasBegun: Bool { budget.spent > 0 }

    private struct Text: Hashable {
        var row: UInt64
        var textBytes: Int?
    }

    init(_ timeline: Timeline, _ budget: StepBudget = StepBudget()) {
        self.timeline = timeline
        self.budget = budget
    }

    /// Takes `steps` from the budget. Without enough steps, the turn is over.
    func spend(_ steps: Int, alone: Bool = false) -> Bool {
        guard budget.spend(steps, alone: alone) else {
            isOver = true
            return false
        }
        return true
    }

    /// Takes `steps` for each item. Returns the number of items that the budget allows, at most `count`.
    func share(of count: Int, steps: Int) -> Int {
        let possible = min(count, budget.left / steps)
        if possible < count { isOver = true }
        return budget.spend(possible * steps) ? possible : 0
    }

    func row(_ number: UInt64) -> Row? {
        if let known = rows[number] { return known }
        guard let row = timeline.row(number) else { return nil }
        rows[number] = row
        return row
    }

    func allows(_ filter: RowFilter, row number: UInt64) -> Bool {
        spend(filter.steps(forRows: 1, bytes: timeline.bytes(of: number)))
    }

    /// Takes the steps for sending a row, or returns false.
    func allowsText(of row: Row, textBytes: Int?) -> Bool {
        let isKnown = texts[Text(row: row.number, textBytes: textBytes)] != nil
        return spend(isKnown ? row.raw.count / 8 + 64 : row.raw.count * 4 + 256, alone: true)
    }

    func text(of row: Row, textBytes: Int?) -> [UInt8] {
        let key = Text(row: row.number, textBytes: textBytes)
        if let known = texts[key] { return known }
        var bytes: [UInt8] = []
        JSONWriter.literal("{\"row\":", into: &bytes)
        TimelineExport.appendJSON(row, into: &bytes, textBytes: textBytes)
        bytes.append(UInt8(ascii: "}"))
        texts[key] = bytes
        return bytes
    }
}

/// Comparison of rows with one filter on a queue.
struct RowComparison: Sendable {
    let filter: RowFilter
    /// Number of the last row before the compared rows.
    let from: UInt64
    let most: Int
    private(set) var to: UInt64
    private(set) var found: [Row] = []

    init(_ filter: RowFilter, from: UInt64, most: Int = .max) {
        self.filter = filter
        self.from = from
        self.most = most
        to = from
    }

    /// Advances all comparisons row by row, each with an equal share of `steps`.
    static func advance(
        _ comparisons: inout [RowComparison], in timeline: Timeline, now: Instant,
        steps: Int = ServerLimits.Control.comparisonSteps
    ) {
        let share = steps / max(1, comparisons.count)
        var left = [Int](repeating: share, count: comparisons.count)
        let first = max(comparisons.map(\.to).min() ?? 0, timeline.firstNumber - 1)
        guard first < timeline.lastNumber else { return }
        for number in first + 1...timeline.lastNumber {
            var row: Row?
            var isBusy = false
            for index in comparisons.indices where left[index] > 0 {
                isBusy = true
                guard number > comparisons[index].to, comparisons[index].found.count < comparisons[index].most
                else { continue }
                row = row ?? timeline.row(number)
                left[index] -= comparisons[index].filter.steps(forRows: 1, bytes: timeline.bytes(of: number))
                comparisons[index].look(at: row, number, now: now)
            }
            if !isBusy { return }
        }
    }

    private mutating func look(at row: Row?, _ number: UInt64, now: Instant) {
        to = number
        if let row, filter.matches(row, now: now) { found.append(row) }
    }
}

import ConversationEngine
import MockServer
import Texts

/// The player that repeats one conversation, each time with other interruptions, and compares the results.
struct SweepRig: Sendable {
    var base: SweepRun
    var mostCuts = KitLimits.sweptInterruptions
    var mostPairs = KitLimits.sweptPairs

    struct Failure: Sendable, Equatable {
        var says: [String]
        var cuts: [Interruption]
        var events: [String]
        var differences: [String]
    }

    struct NoSuchEvent: Error {
        var count: Int

        var sentence: String { "only \(count) events come in this run; cut at one of them, from 1" }
    }

    func quiet() async -> SweepRun.Outcome { await play([]) }

    func play(
        _ cuts: [Interruption], says: [String]? = nil, against quiet: SweepRun.Outcome? = nil
    ) async -> SweepRun.Outcome {
        var run = base
        run.cuts = cuts
        run.steps = quiet?.steps ?? []
        run.says = says ?? run.says
        return await run.play()
    }

    /// If `cuts` is not empty, plays once with all of them. Otherwise plays once for each single interruption and, if
    /// `withPairs` is true and no run differs, once for each pair.
    /// - Throws: ``NoSuchEvent`` when a given cut comes after the last event.
    func sweep(
        _ quiet: SweepRun.Outcome, only cuts: [Interruption], withPairs: Bool
    ) async throws -> (runs: Int, leftOut: Int, differing: Int, renewed: Int, first: Failure?) {
        if !cuts.isEmpty {
            let outcome = await play(cuts, against: quiet)
            guard outcome.fired == Set(cuts.map(\.message)).count else {
                throw NoSuchEvent(count: outcome.arrived.count)
            }
            let failure = await confirmed(cuts, outcome, quiet)
            return (1, 0, failure == nil ? 0 : 1, Self.endedWhileAway(quiet, outcome) ? 1 : 0, failure)
        }
        let all = Self.singles(quiet.arrived)
        let interruptions = Self.spread(all, over: mostCuts)
        let faults = base.client == .messaging ? Self.faults(quiet.arrived) : []
        let singles = interruptions + Self.spread(faults, over: mostCuts)
        var leftOut = all.count + faults.count - singles.count
        let outcomes = await Self.together(singles) { await play([$0], against: quiet) }
        var runs = singles.count
        var renewed = outcomes.count { Self.endedWhileAway(quiet, $0) }
        var failures: [Failure] = []
        for (cut, outcome) in zip(singles, outcomes) {
            if let failure = await confirmed([cut], outcome, quiet) { failures.append(failure) }
        }
        if withPairs, failures.isEmpty {
            let all = zip(interruptions, outcomes).flatMap { first, outcome in
                Self.singles(outcome.arrived).filter { $0.message > first.message }.map { [first, $0] }
            }
            let pairs = Self.spread(all, over: mostPairs)
            runs += pairs.count
            leftOut += all.count - pairs.count
            let verdicts = await Self.together(pairs) { pair -> (failure: Failure?, isRenewed: Bool) in
                let outcome = await play(pair, against: quiet)
                return (await confirmed(pair, outcome, quiet), Self.endedWhileAway(quiet, outcome))
            }
            renewed += verdicts.count { $0.isRenewed }
            failures = verdicts.compactMap(\.failure)
        }
        return (runs, leftOut, failures.count, renewed, failures.first)
    }

    /// Returns a cut after each message, and a loss of each message that answers the client.
    static func singles(_ arrived: [[UInt8]]) -> [Interruption] {
        arrived.enumerated().flatMap { index, message in
            let cut = Interruption(at: index + 1)
            return SweepText.answersClient(message)
                ? [Interruption(at: index + 1, .lose), cut] : [cut]
        }
    }

    /// Returns faults of single messages on a connection that continues (CHAT-143 and CHAT-144 in
    /// Tests/PolyMessagingTests/CHECKS.md).
    static func faults(_ arrived: [[UInt8]]) -> [Interruption] {
        let kinds = Interruption.Kind.allCases.filter { !$0.isForContacts }
        var mustSpeak = false
        return arrived.enumerated().flatMap { index, message in
            if SweepText.asksForJoin(message) { mustSpeak = true }
            let endsRecovery =
                mustSpeak && SweepText.types(of: message).contains { $0.holds("AGENT_MESSAGE") }
            if endsRecovery { mustSpeak = false }
            return kinds.filter { kind in
                switch kind {
                case .double: SweepText.hasSequence(message)
                case .skip, .spoil: !endsRecovery
                default: true
                }
            }
            .map { Interruption(at: index + 1, $0) }
        }
    }

    static func spread<Item>(_ items: [Item], over count: Int) -> [Item] {
        guard items.count > count, count > 1 else { return items }
        return (0..<count).map { items[$0 * (items.count - 1) / (count - 1)] }
    }

    // MARK: - Comparing

    /// Repeats a run that differed, because a busy machine can cause differences.
    private func confirmed(
        _ cuts: [Interruption], _ outcome: SweepRun.Outcome, _ quiet: SweepRun.Outcome
    ) async -> Failure? {
        guard failure(cuts, outcome, quiet) != nil else { return nil }
        return failure(cuts, await play(cuts, against: quiet), quiet)
    }

    func failure(
        _ cuts: [Interruption], _ outcome: SweepRun.Outcome, _ quiet: SweepRun.Outcome, says: [String]? = nil
    ) -> Failure? {
        let differences = Self.differences(quiet, outcome, cuts)
        guard !differences.isEmpty else { return nil }
        let events = cuts.map { cut in
            cut.message <= outcome.arrived.count
                ? SweepText.name(of: outcome.arrived[cut.message - 1]) : "an event that never came"
        }
        return Failure(says: says ?? base.says, cuts: cuts, events: events, differences: differences)
    }

    /// Whether the session ended while the client was away (protocol.md#after-the-end).
    static func endedWhileAway(_ quiet: SweepRun.Outcome, _ other: SweepRun.Outcome) -> Bool {
        let hasLeft =
            other.hasMissedEnd && !quiet.hasMissedEnd || other.journals.count > 1 && quiet.journals.count == 1
        return hasLeft
            && [quiet, other].allSatisfy { outcome in
                outcome.journals.first?.last?.hasPrefix(Server.type(ofKind: .sessionEnded)) == true
            }
    }

    /// Whether the session had ended before the client could request the skipped event.
    private static func isBeyondAsking(
        _ quiet: SweepRun.Outcome, _ other: SweepRun.Outcome, _ cuts: [Interruption]
    ) -> Bool {
        let end = Server.type(ofKind: .sessionEnded)
        guard [quiet, other].allSatisfy({ $0.journals.first?.last?.hasPrefix(end) == true }) else {
            return false
        }
        let names = quiet.arrived.map(SweepText.name)
        let said = Server.type(ofKind: .userMessage)
        let lastTurn = names.lastIndex { $0.holds(said) } ?? 0
        // The message that the user answered last, and every later one, may be skipped without a gap that the client
        // notices before the session ends.
        var first = max(0, lastTurn - 1)
        while first > 0, !SweepText.hasSequence(quiet.arrived[first]) { first -= 1 }
        while first > 0, names[first].holds("CHUNK"), names[first - 1].holds("CHUNK") { first -= 1 }
        return cuts.contains { $0.kind == .skip && $0.message > first }
    }

    private static func differences(
        _ quiet: SweepRun.Outcome, _ other: SweepRun.Outcome, _ cuts: [Interruption]
    ) -> [String] {
        var lines: [String] = []
        // At least one cut must take effect. The second cut of a pair may not, because it was chosen from another run.
        if other.failure == nil, other.fired < min(cuts.count, 1) {
            lines.append("  the interruption never came about")
        }
        let isNewChat = endedWhileAway(quiet, other)
        let rows =
            !isNewChat
            ? quiet.rows
            : other.hasMissedEnd
                ? rowsBeforeMissedEnd(quiet.rows, other.rows)
                : Array(quiet.rows.prefix(quiet.steps.first?.rows ?? 0))
        var chat = Self.chat(rows, other.rows.map(whole(cuts)), cuts)
        // An unusable event loses one row, or a part of one row. Up to two different lines are therefore accepted.
        if cuts.contains(where: { $0.kind == .spoil }), chat.count <= 2, other.rows.count <= rows.count {
            chat = []
        }
        var failure = other.failure
        let isBeyondAsking = isBeyondAsking(quiet, other, cuts)
        if isBeyondAsking, chat.count <= 2, other.rows.count <= rows.count {
            // The session ended before the user's last message was confirmed. The wait for its echo therefore failed.
            if chat.contains(where: { $0.hasPrefix("  chat + user") && $0.hasSuffix(" failed") }) {
                failure = nil
            }
            chat = []
        }
        if let failure { lines.insert("  the talk stops: \(failure)", at: 0) }
        lines += chat
        // Of the harmless faults, only one at message 1 (SESSION_START) may cause a reconnect.
        if !cuts.isEmpty, cuts.allSatisfy({ $0.kind.isHarmless && $0.message > 1 }),
            other.dialCount > quiet.dialCount
        {
            lines.append("  \(other.dialCount) connections instead of \(quiet.dialCount)")
        }
        let known = counts(quiet.transientRows)
        for (row, count) in counts(other.transientRows.map(whole(cuts))) where count > known[row] ?? 0 {
            // If the session is over, the server refuses a second copy of the user's last message.
            if isBeyondAsking, row.holds("Session not found") { continue }
            lines.append("  chat + \(row)")
        }
        lines += SweepText.difference(quiet.journals.first ?? [], other.journals.first ?? [], of: "journal")
        if !isNewChat, quiet.journals.count != other.journals.count {
            lines.append("  \(other.journals.count) sessions instead of \(quiet.journals.count)")
        }
        return lines
    }

    /// Compares the rows of two runs. A skipped event may move the user's rows, so they are then compared separately.
    private static func chat(_ quiet: [String], _ other: [String], _ cuts: [Interruption]) -> [String] {
        guard cuts.contains(where: { $0.kind == .skip }) else {
            return SweepText.difference(quiet, other, of: "chat")
        }
        return [true, false].flatMap { isOwn in
            SweepText.difference(
                quiet.filter { SweepText.isOwn($0) == isOwn }, other.filter { SweepText.isOwn($0) == isOwn },
                of: "chat")
        }
    }

    private static func whole(_ cuts: [Interruption]) -> (String) -> String {
        guard cuts.contains(where: { $0.kind == .halve }) else { return { $0 } }
        // Unicode scalars are removed, not characters: a replacement character and a joiner form one longer character.
        return { row in String(String.UnicodeScalarView(row.unicodeScalars.filter { $0 != "\u{FFFD}" })) }
    }

    /// Returns the expected rows of a contact that ended while the client was away.
    private static func rowsBeforeMissedEnd(_ quiet: [String], _ other: [String]) -> [String] {
        let known = other.dropLast()
        var rows = Array(quiet.prefix(known.count))
        let cut = known.last.flatMap { SweptRow.beginning(ofGrowing: $0) }
        if let cut, let whole = rows.last, whole.hasPrefix(cut) { rows[rows.count - 1] = known.last ?? whole }
        return rows + other.suffix(1)
    }

    private static func counts(_ lines: [String]) -> [String: Int] {
        lines.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    // MARK: - Side by side

    /// Applies `work` to all items, ``KitLimits/parallelRuns`` at a time. Results are in the order of the items.
    static func together<Item: Sendable, Result: Sendable>(
        _ items: [Item], _ work: @escaping @Sendable (Item) async -> Result
    ) async -> [Result] {
        await withTaskGroup(of: (Int, Result).self) { group in
            var results: [Int: Result] = [:]
            for (index, item) in items.enumerated() {
                if index >= KitLimits.parallelRuns, let (place, result) = await group.next() {
                    results[place] = result
                }
                group.addTask { (index, await work(item)) }
            }
            for await (place, result) in group { results[place] = result }
            return items.indices.compactMap { results[$0] }
        }
    }
}

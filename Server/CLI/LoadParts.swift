import Clocks
import LoadTest

struct LoadParts {
    struct Outcome: Sendable {
        var server: Int
        var summary: LoadSummary
    }

    let process: Int?
    private let runs: [(server: Int, run: LoadRun)]
    private let display: LoadDisplay

    init(_ options: LoadOptions, _ plan: LoadPlan, _ targets: [LoadTarget]) {
        let shares = LoadShares(servers: targets.count, processes: options.processes)
        process = options.process
        let display = LoadDisplay(isQuiet: options.isQuiet || options.process != nil)
        self.display = display
        let parts = shares.parts(of: options.process ?? 0)
        let board = LoadBoard(parts.count)
        runs = parts.enumerated().map { place, part in
            let server = shares.server(of: part)
            let run = LoadRun(
                plan.part(part, of: shares.count), target: targets[server], token: options.connectorToken,
                host: options.host, progress: display.progress.map { board.progress(of: place, $0) })
            return (server, run)
        }
    }

    func run() async throws -> [Outcome] {
        defer { display.end() }
        return try await withThrowingTaskGroup(of: Outcome.self) { group in
            for (server, run) in runs {
                group.addTask { Outcome(server: server, summary: try await run.run()) }
            }
            var outcomes: [Outcome] = []
            for try await outcome in group { outcomes.append(outcome) }
            return outcomes.sorted { $0.server < $1.server }
        }
    }

    var interrupt: @Sendable () -> Void {
        let runs = runs.map(\.run)
        return { for run in runs { run.interrupt() } }
    }
}

/// Merged progress of all parts.
private final class LoadBoard: Sendable {
    private let snapshots: Locked<[LoadSnapshot?]>

    init(_ count: Int) { snapshots = Locked(Array(repeating: nil, count: count)) }

    func progress(of place: Int, _ progress: LoadRun.Progress) -> LoadRun.Progress {
        LoadRun.Progress(every: progress.interval) { [self] snapshot in
            let all = snapshots.withLock { snapshots in
                snapshots[place] = snapshot
                return snapshots.compactMap { $0 }
            }
            guard place == 0, var sum = all.first else { return }
            for other in all.dropFirst() { sum.add(other) }
            progress.report(sum)
        }
    }
}

import Clocks
import LoadTest
import SocketTransport
import Texts

/// Load by several processes: copies of this program, whose results are collected.
struct LoadProcesses {
    let options: LoadOptions
    let plan: LoadPlan
    let targets: [LoadTarget]

    /// Arguments of all child processes: those of this command, and the address of a server that it started.
    var words: [String] {
        var words = ["load"]
        if options.targets.isEmpty {
            words += ["--url", targets[0].address.origin]
            if options.says == nil, options.fixture == LoadOptions.defaultFixture {
                words += ["--fixture", LoadOptions.defaultFixture]
            }
        }
        return words + options.wordsForOthers
    }

    /// Runs all processes to their end. Throws a ``Misuse`` that names a process without a result.
    func run() async throws -> [LoadParts.Outcome] {
        let processes = Locked<[Int32]>([])
        // A second signal ends this process at once, so the handler kills the child processes first.
        let watcher = LoadVerb.interrupting(
            of: nil,
            leaving: { for process in processes.withLock({ $0 }) { ProgramCopy.endAtOnce(process) } }
        ) {
            for process in processes.withLock({ $0 }) { ProgramCopy.end(process) }
        }
        defer { watcher.cancel() }
        ProgramCopy.share(options.connectorToken, as: "POLYMOCK_TOKEN")
        let (words, options) = (words, options)
        let texts = await withTaskGroup(of: (process: Int, text: [UInt8]).self) { group in
            for process in 0..<options.processes {
                group.addTask {
                    let text = await ProgramCopy.run(words, [LoadOptions.variable: "\(process)"]) { id in
                        processes.withLock { $0.append(id) }
                    }
                    return (process, text)
                }
            }
            var texts: [[UInt8]] = Array(repeating: [], count: options.processes)
            for await (process, text) in group { texts[process] = text }
            return texts
        }
        return try texts.enumerated().flatMap { process, text in
            guard let parts = outcomes(text, of: process) else {
                throw Misuse(
                    sentence: "process \(process + 1) of \(options.processes) ended without a result")
            }
            return parts
        }
    }

    // MARK: Results of a process

    static func parcel(_ parts: [LoadParts.Outcome]) -> JSONValue {
        .array(
            parts.map {
                .object(["server": .integer(Int64($0.server)), "summary": $0.summary.parcel])
            })
    }

    func outcomes(_ text: [UInt8], of process: Int) -> [LoadParts.Outcome]? {
        let shares = LoadShares(servers: targets.count, processes: options.processes)
        guard let parts = try? JSONReader.read(text).array else { return nil }
        let numbers = shares.parts(of: process).sorted { shares.server(of: $0) < shares.server(of: $1) }
        guard parts.count == numbers.count else { return nil }
        let outcomes = zip(numbers, parts).compactMap { number, part -> LoadParts.Outcome? in
            guard let server = part["server"]?.integer, shares.server(of: number) == server,
                let parcel = part["summary"],
                let summary = LoadSummary(parcel: parcel, plan: plan.part(number, of: shares.count))
            else { return nil }
            return LoadParts.Outcome(server: Int(server), summary: summary)
        }
        return outcomes.count == parts.count ? outcomes : nil
    }
}

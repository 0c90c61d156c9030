import Clocks
package import FixtureTools
import Fixtures
import HTTPClient
import MockServer
import SocketTransport
import Texts
import Timeline

/// Command `polymock record`, which converts runs of an AG-UI agent, or a conversation, to a fixture, and checks that
/// the fixture reproduces the recording.
package struct RunRecorder: Sendable, Equatable {
    package enum Source: Sendable, Equatable {
        /// JSON lines, event-stream text, an exported timeline of polymock, or a HAR file.
        case file(String)
        case standardInput
        case agent(String)
    }

    package var source: Source
    package var says: String?
    package var name: String?
    package var fields: [String] = []
    package var body: String?
    /// The beginning of the id of the session to take; nil means the first conversation.
    package var session: String?
    /// Whether the fixture of a conversation repeats the recorded chunks.
    package var keepsCuts = false
    package var isLines = false
    /// Whether measured durations stay exact; otherwise they are rounded.
    package var isExact = false
    /// Maximum length of the recording.
    package var timeout: Interval?
    package var seed = UInt64.random(in: .min ... .max)

    package init(_ source: Source) { self.source = source }

    struct Capture: Sendable {
        var bytes: [UInt8]
        var arrivals: [RunRecording.Arrival] = []
        var says: String?
        var isLeft = false
        /// The recorded conversation; nil if the recording contains runs.
        var talk: TalkRecording?
    }

    package func run() async -> ToolAnswer {
        let capture: Capture
        do { capture = try await self.capture() } catch { return .misuse("\(error)") }
        if let talk = capture.talk { return await record(talk) }
        let recording: RunRecording
        do throws(RunRecording.Problem) {
            recording = try RunRecording(capture.bytes, arrivals: capture.arrivals)
        } catch {
            return .misuse("\(place): \(error)")
        }
        if isLines { return ToolAnswer(lines: recording.lines) }
        let fixture = RecordedFixture(
            recording, name: title, source: place, said: says ?? capture.says, isExact: isExact)
        let isCut = capture.isLeft && !recording.hasEnd
        let notes = fixture.notes + (isCut ? ["the agent was left before the end of its run"] : [])
        var answer = await answer(fixture.text, FixtureLoader.compile(recorded: fixture.text), notes) {
            let difference = await RunDryRun(recording: recording, fixture: fixture).difference()
            let end = fixture.runs.first { $0.bareInterrupt != nil }?.events.last?.line ?? .max
            return (difference.map { [$0] } ?? [], recording.events.count { $0.line <= end })
        }
        if isCut { answer.code = 1 }
        return answer
    }

    func record(_ talk: TalkRecording) async -> ToolAnswer {
        guard !isLines else { return .misuse("\(place): --lines is for runs; this is a conversation") }
        let (fixture, compiled) = talk.playable(name: title, source: place, keepsCuts: keepsCuts)
        return await answer(fixture.text, compiled, talk.notes + fixture.notes) {
            let comparison = try await talk.comparison(with: fixture.text)
            return (comparison.differences.map(\.line), comparison.count)
        }
    }

    /// The name of the fixture.
    private var title: String { name ?? "Recorded: \(Self.stem(place))" }

    /// Returns a fixture, its notes, and the result of `check`: how the played fixture differs from the recording, and
    /// the number of compared events.
    private func answer(
        _ text: String, _ compiled: CompiledFixture, _ notes: [String],
        _ check: () async throws -> (differences: [String], count: Int)
    ) async -> ToolAnswer {
        var answer = ToolAnswer(lines: [RecordedWarnings.allowed(in: text, compiled.findings)], code: 1)
        answer.talk = TalkRecording.shown(notes, of: place)
        if let error = compiled.firstError {
            answer.talk.append(
                "\(place): no server loads the fixture; cut the recording in pieces (\(error))")
            return answer
        }
        do {
            let (differences, count) = try await check()
            answer.talk += differences.map { "\(place): the fixture differs: \($0)" }
            guard differences.isEmpty else { return answer }
            answer.code = 0
            answer.talk.append(
                "\(place): the fixture sends \(Counted.text(count, "event")) as recorded, but for ids and stamps"
            )
        } catch {
            answer.talk.append("\(place): the fixture cannot be played: \(error)")
        }
        return answer
    }

    /// Returns the fixture of a recorded conversation; nil for any other file.
    package func fixture(of bytes: [UInt8]) throws -> String? {
        try streams(of: bytes, place)?.talk?.fixture(name: "Recorded", source: place).text
    }

    private var place: String {
        switch source {
        case .file(let path): path.split(separator: "/").last.map(String.init) ?? path
        case .standardInput: "standard input"
        case .agent(let address): Self.shown(address)
        }
    }

    /// Returns the address without query and fragment, which may contain secrets.
    private static func shown(_ address: String) -> String {
        String(address.prefix { $0 != "?" && $0 != "#" })
    }

    /// Arguments of this process to hide from other users of the machine.
    package var secrets: [String] {
        let values = fields.map { $0.split(separator: ":", maxSplits: 1).last.map(String.init) ?? $0 }
        guard case .agent(let address) = source else { return values }
        return values + [String(address.dropFirst(Self.shown(address).count))]
    }

    private static func stem(_ name: String) -> String {
        let last = name.split(separator: "/").last.map(String.init) ?? name
        guard let dot = last.lastIndex(of: "."), dot > last.startIndex else { return last }
        return String(last[..<dot])
    }

    // MARK: - Sources

    private func capture() async throws -> Capture {
        let (path, name): (String, String)
        switch source {
        case .file(let file): (path, name) = (file, file)
        case .standardInput: (path, name) = ("/dev/stdin", place)
        case .agent(let address): return try await ask(address)
        }
        guard let bytes = Files.read(path, atMost: KitLimits.recordingBytes, mayWait: !Files.isFolder(path))
        else {
            throw MockError(
                source == .standardInput
                    ? "\(name) cannot be read" : "there is no file \"\(name)\" that can be read")
        }
        // A timeline may be larger than other recordings, because only some of its rows belong to a run.
        let bound = Self.isTimeline(bytes) ? KitLimits.recordingBytes : KitLimits.recordedRunBytes
        guard bytes.count <= bound else {
            throw MockError("\(name): a recording has \(bound >> 20) MiB at most; cut it in pieces")
        }
        return try streams(of: bytes, name) ?? Capture(bytes: bytes)
    }

    private static func isTimeline(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: Array("{\"format\":\"polymock timeline\"".utf8))
            || TimelineImport.isHAR(bytes)
    }

    /// Reads an exported timeline or HAR; nil for other files.
    func streams(of bytes: [UInt8], _ name: String) throws -> Capture? {
        guard Self.isTimeline(bytes) else { return nil }
        let rows = try TalkRecording.rows(bytes, name)
        let complete = rows.indices.filter {
            rows[$0].kind != .ws && rows[$0].direction == .outbound && rows[$0].raw.count == rows[$0].size
        }.map { rows[$0] }
        let sent = complete.filter { $0.kind == .stream }
        guard let session = sent.first?.session else {
            // In a HAR file of a browser, event streams are recorded as answers to requests.
            let answers = complete.compactMap { row -> ArraySlice<UInt8>? in
                guard row.kind == .rest, let answer = HTTPText(row.raw), answer.bodyStart < row.raw.count,
                    answer.header("content-type")?.hasPrefix("text/event-stream") == true
                else { return nil }
                return row.raw[answer.bodyStart...]
            }
            guard answers.isEmpty else {
                return Capture(bytes: Array(answers.joined(separator: [0x0A, 0x0A])))
            }
            return Capture(
                bytes: [], talk: try TalkRecording(consume rows, fileName: name, session: self.session))
        }
        var capture = Capture(bytes: [])
        for row in sent where row.session == session {
            capture.bytes += row.raw
            capture.arrivals.append(.init(byteCount: capture.bytes.count, time: row.time))
        }
        return capture
    }

    private func ask(_ text: String) async throws -> Capture {
        let (endpoint, target) = try Self.place(of: text)
        var request = HTTPClient.Request(
            "POST", endpoint, target, answerBytes: 64 << 10,
            timeout: timeout.map { min($0, KitLimits.recordedAnswer) } ?? KitLimits.recordedAnswer)
        request.set("Content-Type", "application/json")
        request.set("Accept", "text/event-stream")
        for field in fields {
            let parts = field.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else {
                throw MockError("a --header has no value; write \"Name: value\"")
            }
            request.set(String(parts[0]), String(parts[1].drop { $0 == " " }))
        }
        // Agents remember threads, so each recording begins a new thread.
        var chance = SeededGenerator(seed: seed)
        let thread = UniqueID.version4(from: &chance).text
        let own = RunQuestion(says: says ?? "Hello", thread: thread, run: "run-1")
        request.body = own.body
        if let body {
            guard let bytes = Files.read(body, atMost: 16 << 20) else {
                throw MockError("there is no file \"\(body)\" that can be read")
            }
            guard case .object? = try? JSONReader.read(bytes) else {
                throw MockError("\(body) is no JSON object; it is sent as the request for a run")
            }
            request.body = bytes
        }
        let clock = SystemClock()
        let client = HTTPClient(label: "polymock.record", clock: clock, seed: 1, unsentBytes: 32 << 20)
        let answer = await RunAnswer.receive(
            request, over: client, clock: clock, silence: KitLimits.recordedSilence, timeout: timeout)
        await client.close()
        if let refusal = answer.refusal { throw MockError("\(place): \(refusal)") }
        let said = body == nil ? says ?? "Hello" : RunQuestion.words(of: request.body)
        return Capture(bytes: answer.bytes, arrivals: answer.arrivals, says: said, isLeft: answer.isLeft)
    }

    static func place(of text: String) throws -> (endpoint: Endpoint, target: String) {
        let rest = text.drop { $0 != ":" && $0 != "/" }
        let start = rest.hasPrefix("://") ? rest.index(rest.startIndex, offsetBy: 3) : text.startIndex
        let authority = text[start...].prefix { $0 != "/" }
        let path = String(text[authority.endIndex...])
        guard let address = try? ServerAddress(String(text[..<authority.endIndex])) else {
            throw MockError(
                "\"\(shown(text))\" is no address; write one such as http://127.0.0.1:8787/ag-ui/weather")
        }
        guard !address.isEncrypted else {
            throw MockError("https is not spoken here; use http, or a local proxy that encrypts")
        }
        let endpoint = Endpoint(host: address.host, port: address.port ?? 80)
        return (endpoint, path.isEmpty ? "/" : path)
    }
}

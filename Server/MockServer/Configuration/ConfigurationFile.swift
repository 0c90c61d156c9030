import Clocks
import ConversationEngine
import Fixtures
import Matching
import SocketTransport
import Texts

/// Reads a configuration file (JSON5) over a ``Configuration``: the keys have the names of its properties,
/// lengths of time are texts such as `"10m"`. Unknown keys are refused with the likely spelling.
struct ConfigurationFile {
    private let document: JSON5Document
    private let file: String
    /// The first mistake found; later ones would often follow from it.
    private var mistake: Finding?

    /// - Throws: ``ServerError/configuration(_:fix:)`` that names file, line and column.
    static func read(_ path: String, into configuration: inout Configuration) throws(ServerError) {
        guard let bytes = Files.read(path, atMost: FixtureLoader.fileBytes, mayWait: true) else {
            throw .configuration("the file \(path) cannot be read", fix: "check the path behind --config")
        }
        try apply(bytes, named: path, to: &configuration)
    }

    static func apply(
        _ bytes: [UInt8], named file: String, to configuration: inout Configuration
    ) throws(ServerError) {
        let document = JSON5Document(reading: bytes)
        if let problem = document.problems.first {
            let place = document.place(at: problem.offset)
            throw .fixture(
                "\(file):\(place.line):\(place.column): error: \(problem.message) [\(problem.kind.rawValue)]")
        }
        guard let root = document.root else { return }
        var reader = ConfigurationFile(document: document, file: file, mistake: nil)
        var result = configuration
        reader.readTop(root, &result)
        if let mistake = reader.mistake { throw .fixture(mistake.description) }
        configuration = result
    }

    private init(document: JSON5Document, file: String, mistake: Finding?) {
        self.document = document
        self.file = file
        self.mistake = mistake
    }

    private mutating func readTop(_ value: JSON5Value, _ result: inout Configuration) {
        read(
            value, into: &result,
            [
                "host": { $0.text($1, &$2.host) },
                "port": { reader, value, result in
                    var port = 0
                    reader.count(value, &port, upTo: 65_535)
                    result.port = UInt16(port)
                },
                "fixture": { $0.text($1, &$2.fixture) },
                "fixtures": { reader, value, result in
                    var folder = ""
                    reader.text(value, &folder)
                    result.fixturesFolder = folder
                },
                "seed": { reader, value, result in
                    var seed = 0
                    reader.count(value, &seed, upTo: 1 << 53)
                    result.seed = UInt64(seed)
                },
                "watchesFixtures": { $0.flag($1, &$2.watchesFixtures) },
                "unmatched": { reader, value, result in
                    reader.choice(value, Configuration.Unmatched.allCases) { result.unmatched = $0 }
                },
                "watchesLaws": { $0.flag($1, &$2.watchesLaws) },
                "deflate": { $0.flag($1, &$2.deflate) },
                "echo": { $0.flag($1, &$2.servesEcho) },
                "connectors": { $0.readConnectors($1, &$2) },
                "tokens": { $0.readTokens($1, &$2.tokens) },
                "sessions": { $0.readSessions($1, &$2.sessions) },
                "connections": { $0.readConnections($1, &$2.connections) },
                "replies": { $0.readReplies($1, &$2.replies) },
                "rates": { $0.readRates($1, &$2.rates) },
                "limits": { $0.readLimits($1, &$2.limits) },
                "control": { $0.readControl($1, &$2.control) },
            ])
    }

    private mutating func readConnectors(_ value: JSON5Value, _ result: inout Configuration) {
        for element in list(value) {
            var connector = Configuration.Connector(token: "", id: "", hosts: [])
            read(
                element, into: &connector,
                [
                    "token": { $0.text($1, &$2.token) },
                    "id": { $0.text($1, &$2.id) },
                    "hosts": { reader, value, connector in
                        for host in reader.list(value) {
                            var name = ""
                            reader.text(host, &name)
                            connector.hosts.append(name)
                        }
                    },
                    "sendsContextID": { $0.flag($1, &$2.sendsContextID) },
                ])
            if connector.token.isEmpty { complain(element, "A connector needs a \"token\".", .missingPart) }
            if connector.id.isEmpty { connector.id = "connector-\(result.connectors.count + 1)" }
            result.connectors.append(connector)
        }
    }

    private mutating func readTokens(_ value: JSON5Value, _ result: inout Configuration.Tokens) {
        read(
            value, into: &result,
            [
                "life": { $0.length($1, &$2.life) },
                "scenarios": { $0.flag($1, &$2.acceptsScenarios) },
                "binding": { reader, value, result in
                    reader.choice(value, Configuration.Tokens.Binding.allCases) { result.binding = $0 }
                },
            ])
    }

    private mutating func readSessions(_ value: JSON5Value, _ result: inout Configuration.Sessions) {
        read(
            value, into: &result,
            [
                "maxReconnectAttempts": { $0.count($1, &$2.maxReconnectAttempts, upTo: 1_000_000) },
                "heartbeatInterval": { $0.length($1, &$2.heartbeatInterval) },
                "idle": { $0.length($1, &$2.idle) },
                "endGrace": { $0.length($1, &$2.endGrace) },
                "endedRetention": { $0.length($1, &$2.endedRetention) },
                "journaling": { reader, value, result in
                    for member in reader.members(value) {
                        var isJournaled = false
                        reader.flag(member.value, &isJournaled)
                        result.journaling[member.name] = isJournaled
                        if EventKind(rawValue: member.name) == nil {
                            reader.unknown(member, among: EventKind.allCases.map(\.rawValue))
                        }
                    }
                },
            ])
    }

    private mutating func readConnections(_ value: JSON5Value, _ result: inout Configuration.Connections) {
        read(
            value, into: &result,
            [
                "perSession": { $0.count($1, &$2.perSession, upTo: 10_000) },
                "idle": { $0.length($1, &$2.idle) },
                "maxAge": { reader, value, result in
                    var age = Interval.zero
                    reader.length(value, &age)
                    result.maxAge = age
                },
                "handshakeDelay": { $0.length($1, &$2.handshakeDelay) },
                "firstFrameDelay": { $0.length($1, &$2.firstFrameDelay) },
                "firstLiveEventDelay": { $0.length($1, &$2.firstLiveEventDelay) },
                "alwaysReplaysSessionStart": { $0.flag($1, &$2.alwaysReplaysSessionStart) },
                "usesNamedPayloadsInBatches": { $0.flag($1, &$2.usesNamedPayloadsInBatches) },
            ])
    }

    private mutating func readReplies(_ value: JSON5Value, _ result: inout Configuration.Replies) {
        read(
            value, into: &result,
            [
                "greetsAgain": { $0.flag($1, &$2.greetsAgain) },
                "honorsGreetingMessage": { $0.flag($1, &$2.honorsGreetingMessage) },
                "dropsRepeatedLocalIDs": { $0.flag($1, &$2.dropsRepeatedLocalIDs) },
                "acceptsVoiceLink": { $0.flag($1, &$2.acceptsVoiceLink) },
                "echoDelay": { $0.length($1, &$2.echoDelay) },
                "droppedEchoes": { reader, value, result in
                    for element in reader.list(value) {
                        var number = 0
                        reader.count(element, &number, upTo: 1_000_000)
                        result.droppedEchoes.insert(number)
                    }
                },
                "agentReturnsAfterFailedHandoff": { $0.flag($1, &$2.agentReturnsAfterFailedHandoff) },
                "firstChunkIndex": { $0.count($1, &$2.firstChunkIndex, upTo: 1) },
                "endsWithEmptyChunk": { $0.flag($1, &$2.endsWithEmptyChunk) },
                "chunks": { reader, value, result in
                    reader.choice(value, Configuration.Replies.Chunks.allCases) { result.chunks = $0 }
                },
                "trimsChunks": { $0.flag($1, &$2.trimsChunks) },
                "agentErrors": { $0.readAgentErrors($1, &$2) },
            ])
    }

    private mutating func readAgentErrors(_ value: JSON5Value, _ result: inout Configuration.Replies) {
        struct Draft {
            var reply: Int?
            var chunk: Int?
            var userMessage: Int?
            var problem = ""
            var times = 1
        }
        for element in list(value) {
            var draft = Draft()
            read(
                element, into: &draft,
                [
                    "reply": { $0.optionalCount($1, &$2.reply) },
                    "chunk": { $0.optionalCount($1, &$2.chunk) },
                    "userMessage": { $0.optionalCount($1, &$2.userMessage) },
                    "problem": { reader, value, draft in
                        reader.choice(value, KnownProblem.allCases) { draft.problem = $0.rawValue }
                    },
                    "times": { $0.count($1, &$2.times, upTo: 1_000_000) },
                ])
            let moment: Configuration.AgentError.Moment
            switch (draft.reply, draft.chunk, draft.userMessage) {
            case (let reply?, let chunk?, nil): moment = .chunk(reply: reply, chunk: chunk)
            case (let reply?, nil, nil): moment = .reply(reply)
            case (nil, nil, let number?): moment = .userMessage(number)
            default:
                complain(
                    element,
                    "An agent error has either \"reply\" (with or without \"chunk\") or \"userMessage\".",
                    .missingPart)
                continue
            }
            if draft.problem.isEmpty {
                complain(element, "An agent error needs a \"problem\".", .missingPart)
            }
            result.agentErrors.append(.init(at: moment, problem: draft.problem, times: draft.times))
        }
    }

    private mutating func readRates(_ value: JSON5Value, _ result: inout Configuration.Rates) {
        func bucket(_ reader: inout ConfigurationFile, _ value: JSON5Value) -> Configuration.Rates.Bucket {
            var bucket = Configuration.Rates.Bucket(burst: 1, perSecond: 1)
            reader.read(
                value, into: &bucket,
                [
                    "burst": { $0.count($1, &$2.burst, upTo: 1_000_000) },
                    "perSecond": { $0.number($1, &$2.perSecond, upTo: 1_000_000) },
                ])
            return bucket
        }
        read(
            value, into: &result,
            [
                "rest": { $2.rest = bucket(&$0, $1) },
                "webSocket": { $2.webSocket = bucket(&$0, $1) },
            ])
    }

    private mutating func readControl(_ value: JSON5Value, _ result: inout Configuration.Control) {
        read(
            value, into: &result,
            [
                "isOn": { $0.flag($1, &$2.isOn) },
                "token": { reader, value, result in
                    var token = ""
                    reader.text(value, &token)
                    result.token = token
                },
            ])
    }

    private mutating func readLimits(_ value: JSON5Value, _ result: inout Configuration.Limits) {
        read(
            value, into: &result,
            [
                "messageBytes": { $0.count($1, &$2.messageBytes, upTo: 1 << 30) },
                "bodyBytes": { $0.count($1, &$2.bodyBytes, upTo: 1 << 30) },
                "writeBufferBytes": { $0.count($1, &$2.writeBufferBytes, upTo: 1 << 30) },
                "sessions": { $0.count($1, &$2.sessions, upTo: 10_000_000) },
                "journalEntries": { $0.count($1, &$2.journalEntries, upTo: 10_000_000) },
                "journalBytes": { $0.count($1, &$2.journalBytes, upTo: 1 << 40) },
                "rows": { $0.count($1, &$2.rows, upTo: 10_000_000) },
                "sockets": { $0.count($1, &$2.sockets, upTo: 1_000_000) },
                "socketsPerAddress": { $0.optionalCount($1, &$2.socketsPerAddress) },
                "handshakeTime": { $0.length($1, &$2.handshakeTime) },
                "headerTime": { $0.length($1, &$2.headerTime) },
                "requestTime": { $0.length($1, &$2.requestTime) },
                "keepAliveTime": { $0.length($1, &$2.keepAliveTime) },
                "stallTime": { $0.length($1, &$2.stallTime) },
                "closeTime": { $0.length($1, &$2.closeTime) },
            ])
    }
}

/// Reading single values.
extension ConfigurationFile {
    private mutating func read<Target>(
        _ value: JSON5Value, into target: inout Target,
        _ keys: [String: (inout ConfigurationFile, JSON5Value, inout Target) -> Void]
    ) {
        for member in members(value) {
            if let handle = keys[member.name] {
                handle(&self, member.value, &target)
            } else {
                unknown(member, among: keys.keys.sorted())
            }
        }
    }

    private mutating func members(_ value: JSON5Value) -> [JSON5Member] {
        guard case .object(let members) = value.content else {
            complain(value, "Here is \(value.kindName) where a block in braces is wanted.", .wrongType)
            return []
        }
        return members
    }

    private mutating func list(_ value: JSON5Value) -> [JSON5Value] {
        guard case .list(let elements) = value.content else {
            complain(value, "Here is \(value.kindName) where a list in brackets is wanted.", .wrongType)
            return []
        }
        return elements
    }

    private mutating func text(_ value: JSON5Value, _ target: inout String) {
        guard case .text(let text) = value.content else {
            return complain(value, "Here is \(value.kindName) where a text in quotes is wanted.", .wrongType)
        }
        target = text
    }

    private mutating func flag(_ value: JSON5Value, _ target: inout Bool) {
        guard case .boolean(let flag) = value.content else {
            return complain(value, "Here is \(value.kindName) where true or false is wanted.", .wrongType)
        }
        target = flag
    }

    private mutating func number(_ value: JSON5Value, _ target: inout Double, upTo bound: Double) {
        guard case .number(let number) = value.content, number >= 0, number <= bound else {
            return complain(value, "A number from 0 to \(Int(bound)) is wanted here.", .wrongType)
        }
        target = number
    }

    private mutating func count(_ value: JSON5Value, _ target: inout Int, upTo bound: Int) {
        var number = 0.0
        self.number(value, &number, upTo: Double(bound))
        guard number == number.rounded() else {
            return complain(value, "A whole number is wanted here.", .wrongType)
        }
        target = Int(number)
    }

    private mutating func optionalCount(_ value: JSON5Value, _ target: inout Int?) {
        var number = 0
        count(value, &number, upTo: 1_000_000)
        target = number
    }

    private mutating func length(_ value: JSON5Value, _ target: inout Interval) {
        guard case .text(let text) = value.content, let interval = FixtureLoader.interval(text) else {
            return complain(
                value,
                "\(document.source(of: value)) is not a length of time. Write \"800ms\", \"2s\", \"5m\" or \"1h\".",
                .duration)
        }
        target = interval
    }

    private mutating func choice<Choice: RawRepresentable>(
        _ value: JSON5Value, _ choices: [Choice], _ use: (Choice) -> Void
    ) where Choice.RawValue == String {
        var name = ""
        text(value, &name)
        if let choice = Choice(rawValue: name) { return use(choice) }
        let names = choices.map(\.rawValue)
        let hint = NearestName.suggestion(for: name, among: names).map { " Did you mean \"\($0)\"?" }
        complain(
            value, "\"\(name)\" is not one of \(names.joined(separator: ", ")).\(hint ?? "")", .unknownName)
    }

    private mutating func unknown(_ member: JSON5Member, among names: [String]) {
        let hint = NearestName.suggestion(for: member.name, among: names).map { " Did you mean \"\($0)\"?" }
        complain(
            at: member.nameStart,
            "There is no setting \"\(member.name)\" here.\(hint ?? " Known: \(names.joined(separator: ", ")).")",
            .unknownName)
    }

    private mutating func complain(_ value: JSON5Value, _ message: String, _ code: FindingCode) {
        complain(at: value.start, message, code)
    }

    private mutating func complain(at offset: Int, _ message: String, _ code: FindingCode) {
        guard mistake == nil else { return }
        mistake = Finding(
            file: file, place: document.place(at: offset), severity: .error, code: code, message: message)
    }
}

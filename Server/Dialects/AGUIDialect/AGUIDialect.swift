import Clocks
package import ConversationEngine
package import DialectKit
package import HTTPCore
import RunWire
import Texts
package import Timeline

/// The server side of AG-UI: a stream of events answers each request for an agent run (protocol-agui.md).
package struct AGUIDialect: Dialect {
    static let path = "/ag-ui"
    private static let runtime = path + "/agent/"
    private static let jsonType = "application/json"
    /// Media type of the binary encoding, which the server does not offer.
    static let binaryType = "application/vnd.ag-ui.event+proto"

    package var options: AGUIOptions

    package init(options: AGUIOptions = AGUIOptions()) { self.options = options }

    package var name: String { "ag-ui" }
    package var prefixes: [String] { [Self.path] }
    package var exposedFields: [String] { [] }
    package var protocolRules: any ClientProtocolRules { AGUIProtocolRules() }
    package var reading: RowReading { Self.reading }
    package var namings: [any SessionNaming.Type] { [Thread.self] }

    /// Session names that are AG-UI thread ids.
    enum Thread: SessionNaming {}

    package var routes: [Route] {
        let agent = Self.path + "/{agent}"
        func route(_ method: String, _ path: String, _ operation: String) -> Route {
            Route(
                path, methods: [method], operation: operation,
                bodyBytes: method == "POST" ? options.bodyBytes : nil, isOpenToPages: true)
        }
        return [
            route("GET", Self.path, "ListAgents"), route("POST", Self.path, "Run"),
            route("POST", agent, "Run"), route("POST", agent + "/connect", "JoinThread"),
            route("GET", agent + "/capabilities", "ListCapabilities"),
            // The routes of CopilotKit's runtime.
            route("GET", Self.path + "/info", "RuntimeInfo"),
            route("POST", Self.runtime + "{agent}/run", "Run"),
            route("POST", Self.runtime + "{agent}/connect", "JoinThread"),
        ]
    }

    package var agents: [(name: String, about: String)] { SampleAgents.agents }
    package func script(of agent: String) -> Script? { SampleAgents.script(of: agent) }

    package func answer(_ request: Request, host: inout any DialectContext) -> Answer {
        host.facts = RequestInfo(.other)
        switch request.operation {
        case "ListAgents": return .response(agents(host))
        case "RuntimeInfo": return .response(Self.runtime(host.agents))
        case "ListCapabilities":
            switch scenario(of: request, &host) {
            case .answered(let refusal): return refusal
            case .found(let line):
                return .response(Self.json(200, Self.capabilities(of: host.script(inScenario: line))))
            }
        default: return run(request, &host)
        }
    }

    package func judge(_ request: Request, host: inout any DialectContext) -> HeadJudgement {
        if refusal(of: request.head) != nil { return .answer }
        if let name = Self.agent(in: request) {
            let (agent, shard) = Self.split(name)
            let line = agent.hasPrefix("mock:") ? agent : "mock:" + agent
            if let shard, Self.problem(ofShard: shard, host) != nil { return .answer }
            if host.problem(inScenario: line) != nil { return .answer }
        }
        let length = request.head.headers["Content-Length"].flatMap { Int($0) } ?? 0
        guard request.operation != "JoinThread", length <= options.bodyBytes, !host.hasRoom(for: length)
        else { return .body }
        return .refuse(Self.noRoom)
    }

    // MARK: - Runs

    private func run(_ request: Request, _ host: inout any DialectContext) -> Answer {
        if let refusal = refusal(of: request.head) { return .response(refusal) }
        let isReplay = Self.isReplay(request)
        let line: String?
        switch scenario(of: request, &host) {
        case .answered(let answer): return answer
        case .found(let found): line = found
        }
        var prepared: PreparedRun
        do throws(RunFormatError) {
            if let known = request.prepared as? Result<PreparedRun, RunFormatError> {
                prepared = try known.get()
            } else {
                prepared = try PreparedRun(reading: request.body, isReplay: isReplay, options)
            }
        } catch {
            if case .json(let reason) = error.problem, reason.reason == .tooMany {
                return .response(
                    Self.error(
                        413, "too_large", "The request has more than \(AGUILimits.values) values in its JSON."
                    ))
            }
            return .response(Self.malformed("\(error)", &host))
        }
        for (name, id) in [("threadId", prepared.request.thread), ("runId", prepared.request.run)]
        where id.isEmpty {
            return .response(Self.malformed("\"\(name)\": must not be empty", &host))
        }
        for (name, id) in [("threadId", prepared.request.thread), ("runId", prepared.request.run)]
        where id.utf8.count > AGUILimits.nameBytes {
            return .response(
                Self.malformed(
                    "\"\(name)\": has \(id.utf8.count) bytes; it takes \(AGUILimits.nameBytes)", &host))
        }
        guard isReplay || host.hasRoom(for: prepared.request.heldBytes) else { return .response(Self.noRoom) }
        switch isReplay ? join(prepared, &host) : thread(prepared.request.thread, line, &host) {
        case .answered(let answer): return answer
        case .found(let session):
            guard host.enter(session) else { return .response(Self.error(503, "unavailable", "refused")) }
            prepared.request.needsDecisions = options.words == .refuse
            prepared.request.words = prepared.words(in: host.runs(of: session))
            if !isReplay, let log = host.runs(of: session) {
                let isBusy = log.isRunning && options.secondRun == .refuse
                let broken = AGUIProtocolRules.broken(
                    by: prepared.claims, log, host.journal(of: session), isRefused: isBusy,
                    isRepeated: log.repetition(of: prepared.request, isTolerant: true) != nil,
                    needsDecisions: options.words == .refuse)
                host.facts?.broken = broken
                if isBusy {
                    return .response(
                        Self.error(409, "thread_busy", "A run of this thread goes on (agentRuns.secondRun)."))
                }
            }
            prepared.request.given["run.agent"] = request.values["agent"].map { Self.split($0).agent }
            for field in request.head.headers.fields
            where prepared.request.given.count < AGUILimits.givenValues {
                prepared.request.given[Self.gap(of: field)] = Self.usual(field.value)
            }
            guard isReplay || host.hasRoom(for: prepared.request.heldBytes) else {
                return .response(Self.noRoom)
            }
            return .stream(
                session, cursor: .max, headers: ["X-Accel-Buffering": "no"],
                saying: ClientInput(.run(prepared.request)))
        }
    }

    private static func isReplay(_ request: Request) -> Bool { request.operation == "JoinThread" }

    package func preparation(of request: Request) -> (@Sendable () -> any Sendable)? {
        let isReplay = Self.isReplay(request)
        guard isReplay || request.operation == "Run" else { return nil }
        let (body, options) = (request.body, options)
        return {
            Result { () throws(RunFormatError) in
                try PreparedRun(reading: body, isReplay: isReplay, options)
            }
        }
    }

    private static func malformed(_ why: String, _ host: inout any DialectContext) -> Response {
        host.facts?.broken[AGUIProtocolRules.body.id] = why
        return error(400, "invalid_input", why)
    }

    /// Returns the placeholder name for a header field: a constant for common fields, which saves an allocation.
    private static func gap(of field: HeaderFields.Field) -> String {
        switch field.name {
        case "Host", "host": "header.host"
        case "Content-Type", "content-type": "header.content-type"
        case "Content-Length", "content-length": "header.content-length"
        case "Accept", "accept": "header.accept"
        case "Accept-Encoding", "accept-encoding": "header.accept-encoding"
        case "Accept-Language", "accept-language": "header.accept-language"
        case "Connection", "connection": "header.connection"
        case "User-Agent", "user-agent": "header.user-agent"
        default: "header." + field.name.lowercased()
        }
    }

    private static func usual(_ value: String) -> String {
        switch value {
        case jsonType: jsonType
        case "text/event-stream": "text/event-stream"
        default: value
        }
    }

    private enum Found<Value> {
        case found(Value)
        case answered(Answer)

        /// An answer with an error.
        static func refused(_ status: Int, _ code: String, _ reason: String) -> Found {
            .answered(.response(AGUIDialect.error(status, code, reason)))
        }
    }

    /// Splits a name such as `desk@shard=2` into agent and shard.
    private static func split(_ name: String) -> (agent: String, shard: Substring?) {
        guard name.utf8.contains(UInt8(ascii: "@")), let mark = name.firstPlace(of: "@shard=") else {
            return (name, nil)
        }
        let shard = name[mark.upperBound...].prefix { $0 != "@" }
        return (String(name[..<mark.lowerBound] + name[shard.endIndex...]), shard)
    }

    /// Returns why the shard cannot be used, or nil.
    private static func problem(
        ofShard text: Substring, _ host: any DialectContext
    ) -> (words: String, isOfAnother: Bool)? {
        let here = host.shard
        guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(text),
            1...(here?.count ?? Shard.most) ~= number
        else {
            let words =
                "\"@shard=\(text.prefix(20))\" is no shard; use a number from 1 to \(here?.count ?? Shard.most)"
            return (words, false)
        }
        guard let here, number != here.number else { return nil }
        let words =
            "\"@shard=\(number)\" belongs to shard \(number) of \(here.count), this is shard \(here.number)"
        return (words, true)
    }

    /// Returns the scenario line for the agent in the path; nil means the server's default fixture.
    private func scenario(of request: Request, _ host: inout any DialectContext) -> Found<String?> {
        guard let name = Self.agent(in: request) else { return .found(nil) }
        let (agent, number) = Self.split(name)
        if let number, let problem = Self.problem(ofShard: number, host) {
            if problem.isOfAnother { host.log("ag-ui: \(problem.words)") }
            return .refused(404, "unknown_agent", problem.words)
        }
        switch host.scenario(for: agent.hasPrefix("mock:") ? agent : "mock:" + agent) {
        case .found(let line, _): return .found(line)
        case .refused(let reason): return .refused(404, "unknown_agent", reason)
        }
    }

    /// Returns the thread's session. Opens a new one if there is none, if it has ended, or if it has another scenario.
    private func thread(
        _ id: String, _ line: String?, _ host: inout any DialectContext
    ) -> Found<SessionHandle> {
        let owner = line ?? ""
        if let known = host.session(named: SessionName(id, as: Thread.self)), known.owner == owner,
            !known.hasEnded
        {
            guard known.connectionCount < known.connectionLimit else {
                return .refused(
                    409, "thread_busy", "\(known.connectionCount) runs of this thread wait already.")
            }
            return .found(known.handle)
        }
        let wish = SessionRequest(
            owner: owner, scenario: line, isStreaming: false, platform: "ag-ui",
            terms: ProtocolDefaults(idle: .hours(1), connections: AGUILimits.runsOfThread))
        switch host.openSession(wish) {
        case .refused(let reason): return .refused(503, "agent_unavailable", reason)
        case .opened(let session):
            guard let view = host.session(id: session) else {
                return .refused(503, "agent_unavailable", "the session is gone")
            }
            host.name(view.handle, SessionName(id, as: Thread.self))
            return .found(view.handle)
        }
    }

    private static var noRoom: Response {
        error(
            503, "agent_unavailable",
            "The threads of this server have no room for the request (limits.journalTotalBytes).",
            retryAfter: .seconds(1))
    }

    /// Returns the thread's session if it accepts a connection. Otherwise, returns an answer with the thread's messages
    /// and state so far.
    private func join(_ asked: PreparedRun, _ host: inout any DialectContext) -> Found<SessionHandle> {
        let request = asked.request
        let known = host.session(named: SessionName(request.thread, as: Thread.self))
        if let known {
            if !known.hasEnded, known.connectionCount < known.connectionLimit { return .found(known.handle) }
            _ = host.enter(known.handle)
        }
        let log = known.flatMap { host.runs(of: $0.handle) }
        let own = log?.runs.last?.facts.manners.profile.flatMap(RunProfile.init(named:))
        let profile = own ?? RunProfile(named: options.profile.rawValue) ?? asked.asked
        let isOver = known?.hasEnded ?? true
        let make: @Sendable () -> Response = {
            Response(
                status: 200,
                headers: [
                    "Content-Type": "text/event-stream", "Cache-Control": "no-cache",
                    "X-Accel-Buffering": "no",
                ], body: RunEventEncoder.retelling(request, log, isOver: isOver, as: profile), isStream: true)
        }
        let bytes = log?.sentBytes ?? 0
        return .answered(bytes > AGUILimits.shortBytes ? .later(from: bytes, make) : .response(make()))
    }

    private func refusal(of head: RequestHead) -> Response? {
        let type = head.headers["Content-Type"] ?? Self.jsonType
        guard type == Self.jsonType || Self.folded(type.prefix { $0 != ";" }) == Self.jsonType else {
            return Self.error(415, "unsupported_media_type", "Send the request as application/json.")
        }
        guard let accepted = head.headers["Accept"], accepted.utf8.count >= Self.binaryType.utf8.count else {
            return nil
        }
        let wanted = accepted.split(separator: ",").map { part in Self.folded(part.prefix { $0 != ";" }) }
        guard wanted == [Self.binaryType] else { return nil }
        return Self.error(406, "not_acceptable", "The binary form is not offered; accept text/event-stream.")
    }

    private static func folded(_ text: Substring) -> String {
        let text = text.lowercased()
        return String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    // MARK: - Agents and capabilities

    private func agents(_ host: any DialectContext) -> Response {
        let list = host.agents.map { agent -> JSONValue in
            .object([
                "name": .string(agent.name), "description": .string(agent.about),
                "url": .string(Self.path + "/" + agent.name),
            ])
        }
        return Self.json(200, .object(["agents": .array(list)]))
    }

    /// Returns the name of the agent in the path; nil for the server's own agent, which CopilotKit calls `default`.
    private static func agent(in request: Request) -> String? {
        let name = request.values["agent"]
        return name == "default" && request.head.target.hasPrefix(runtime) ? nil : name
    }

    /// Returns the answer to CopilotKit's `GET …/info`.
    private static func runtime(_ agents: [(name: String, about: String)]) -> Response {
        let all = [(name: "default", about: "The agent of this server's own fixture.")] + agents
        let described = all.map { agent -> JSONObject.Member in
            .init(
                agent.name,
                .object([
                    "name": .string(agent.name), "description": .string(agent.about),
                    "className": .string("HttpAgent"), "capabilities": .object([:]),
                ]))
        }
        return json(
            200,
            .object([
                "version": .string("1.0.0"), "agents": .object(JSONObject(described)), "mode": .string("sse"),
                "audioFileTranscriptionEnabled": .bool(false),
            ]))
    }

    /// Returns the capabilities of a script's agent (https://docs.ag-ui.com/concepts/capabilities).
    private static func capabilities(of script: Script?) -> JSONValue {
        let tools = (script?.tools ?? []).filter { !$0.isOfClient }.map { tool -> JSONValue in
            .object([
                "name": .string(tool.name),
                "description": .string(tool.label ?? tool.title ?? tool.name),
                "parameters": .object(["type": .string("object")]),
            ])
        }
        var names: [String] = []
        for case .run(.subagentStarted(let name, _, _)) in (script?.stepLists ?? []).joined().map(\.verb)
        where !names.contains(name) {
            names.append(name)
        }
        let identity = JSONObject(present: [
            ("name", .string(script?.agent.name ?? "polymock")), ("type", script.map { .string($0.name) }),
            ("description", script.map { .string($0.about) }), ("provider", .string("polymock")),
        ])
        return .object([
            "identity": .object(identity), "transport": .object(["streaming": .bool(true)]),
            "tools": .object([
                "supported": .bool(true), "items": .array(tools), "parallelCalls": .bool(true),
                "clientProvided": .bool(true),
            ]),
            "state": .object(["snapshots": .bool(true), "deltas": .bool(true)]),
            "multiAgent": .object([
                "supported": .bool(!names.isEmpty),
                "subagents": .array(names.map { .object(["name": .string($0)]) }),
            ]),
            "reasoning": .object(["supported": .bool(true)]),
            "humanInTheLoop": .object(["supported": .bool(true), "interrupts": .bool(true)]),
        ])
    }

    // MARK: - Refusals

    package func refuse(_ denial: Rejection, request: Request, host: inout any DialectContext) -> Response {
        switch denial {
        case .problem(let problem, let retryAfter):
            return Self.error(503, "agent_unavailable", problem.rawValue, retryAfter: retryAfter)
        case .status(let status, let type, let message, let detail, let retryAfter):
            let (code, sentence) = Self.words(denial.kind)
            let words = [message ?? sentence, detail].compactMap { $0 }.joined(separator: " ")
            return Self.error(status, type ?? code, words, retryAfter: retryAfter)
        }
    }

    private static func words(_ kind: Rejection.Kind?) -> (code: String, sentence: String) {
        switch kind {
        case .badRequest, nil: ("invalid_input", "The request cannot be read.")
        case .unauthorized: ("unauthorized", "Who asks has to say who it is.")
        case .forbidden: ("forbidden", "This is not allowed.")
        case .notFound: ("not_found", "There is nothing at this path.")
        case .wrongMethod: ("method_not_allowed", "The path does not take this method.")
        case .tooSlow: ("timeout", "The request did not come in time.")
        case .conflict: ("conflict", "Another request is in the way.")
        case .tooLarge: ("too_large", "The request is too large.")
        case .throttled: ("rate_limited", "Too many requests.")
        case .serverError: ("internal_error", "The agent failed.")
        case .unavailable: ("agent_unavailable", "The agent cannot answer now.")
        }
    }

    static func error(
        _ status: Int, _ code: String, _ message: String, retryAfter: Interval? = nil
    ) -> Response {
        let body: JSONValue = .object(["code": .string(code), "message": .string(message)])
        var response = json(status, .object(["error": body]))
        if let retryAfter { response.headers.set("Retry-After", "\(max(1, retryAfter.seconds))") }
        return response
    }

    private static func json(_ status: Int, _ value: JSONValue) -> Response {
        Response(
            status: status, headers: ["Content-Type": "application/json"],
            body: JSONWriter.bytes(value) + [0x0A])
    }

    // MARK: - Damage

    package func garbled(_ text: [UInt8], as damage: Damage, messageBytes: Int) -> [[UInt8]] {
        var bytes: [UInt8] = []
        switch damage {
        case .unknownEvent:
            let body: JSONObject = ["type": .string("NOBODY_KNOWS_THIS"), "reason": .string("a fault")]
            EventStreamWriter.event(RunEvent(.unknown(type: "NOBODY_KNOWS_THIS", body: body)), into: &bytes)
            return [bytes, text]
        case .oversized:
            // A text without a brace, such as a comment line, is unchanged.
            guard let end = text.lastIndex(of: UInt8(ascii: "}")) else { return [text] }
            bytes = Array(text[..<end])
            bytes += Array(",\"padding\":\"".utf8)
            bytes += repeatElement(UInt8(ascii: "x"), count: max(AGUILimits.paddingBytes, messageBytes))
            bytes += [UInt8(ascii: "\"")] + text[end...]
            return [bytes]
        case .wrongSequence:
            // Sends the end of a step that never began, because AG-UI has no sequence numbers.
            EventStreamWriter.event(RunEvent(.stepFinished(name: "nobody-began-this")), into: &bytes)
            return [bytes, text]
        }
    }

    // MARK: - Sessions

    package func encoder(of session: String) -> any SessionEncoder {
        AGUIEncoder(keepAlive: options.keepAlive == .zero ? nil : options.keepAlive)
    }
}

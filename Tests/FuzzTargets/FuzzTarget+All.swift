extension FuzzTarget {
    /// Every parser that reads what comes from outside.
    package static let all: [FuzzTarget] = [
        FuzzTarget("http-request", words: HTTPEntries.words, share: 8, entry: HTTPEntries.request),
        FuzzTarget("http-exchange", words: HTTPEntries.words, share: 6, entry: ExchangeEntries.exchange),
        FuzzTarget("http-response", words: HTTPEntries.words, share: 8, entry: HTTPEntries.response),
        FuzzTarget(
            "websocket", bytes: WebSocketEntries.frames, maxBytes: 16_384, share: 10,
            entry: WebSocketEntries.parser),
        FuzzTarget("websocket-exchange", share: 6, entry: WebSocketEntries.exchange),
        FuzzTarget(
            "handshake-server", words: HandshakeEntries.words, share: 6, entry: HandshakeEntries.server),
        FuzzTarget(
            "handshake-client", words: HandshakeEntries.words, share: 6, entry: HandshakeEntries.client),
        FuzzTarget("json", words: WireEntries.words, share: 10, entry: WireEntries.json),
        FuzzTarget("client-event", words: WireEntries.words, share: 8, entry: WireEntries.clientEvent),
        FuzzTarget("server-event", words: WireEntries.words, share: 4, entry: WireEntries.serverEvent),
        FuzzTarget("run-request", words: RunEntries.words, share: 4, entry: RunEntries.request),
        FuzzTarget("run-stream", words: RunEntries.words, share: 4, entry: RunEntries.stream),
        FuzzTarget("json-patch", words: RunEntries.words, share: 4, entry: RunEntries.patch),
        FuzzTarget("recording", words: RunEntries.words, share: 2, entry: RunEntries.recording),
        FuzzTarget("json5", words: FixtureEntries.words, share: 6, entry: FixtureEntries.json5),
        FuzzTarget(
            "fixture", words: FixtureEntries.words, maxBytes: 16_384, share: 1, entry: FixtureEntries.fixture),
        FuzzTarget("template", words: FixtureEntries.words, share: 2, entry: FixtureEntries.template),
        FuzzTarget("scenario", words: FixtureEntries.scenarioWords, share: 4, entry: FixtureEntries.scenario),
        FuzzTarget("phrase", words: MatchingEntries.phraseWords, share: 5, entry: MatchingEntries.phrase),
        FuzzTarget("kinds", words: MatchingEntries.messageWords, share: 1, entry: MatchingEntries.kinds),
        FuzzTarget("pattern", words: MatchingEntries.patternWords, share: 3, entry: MatchingEntries.pattern),
        FuzzTarget("target", words: RequestEntries.words, share: 8, entry: RequestEntries.target),
        FuzzTarget("poly-request", words: RequestEntries.words, share: 4, entry: RequestEntries.poly),
        FuzzTarget("connect-request", words: ConnectEntries.words, share: 3, entry: ConnectEntries.requests),
        FuzzTarget("connect-frame", words: ConnectEntries.words, share: 3, entry: ConnectEntries.frames),
        FuzzTarget("connect-bearer", maxBytes: 1_024, share: 2, entry: ConnectEntries.bearers),
        FuzzTarget("connect-page", maxBytes: 1_024, share: 2, entry: ConnectEntries.pages),
        FuzzTarget("connect-link", maxBytes: 1_024, share: 2, entry: ConnectEntries.links),
        FuzzTarget("fault-plan", maxBytes: 256, share: 6, entry: FaultEntries.plan),
        FuzzTarget("channel", maxBytes: 512, share: 4, entry: FaultEntries.channel),
        FuzzTarget("filter", words: TimelineEntries.filterWords, share: 6, entry: TimelineEntries.filter),
        FuzzTarget("import", words: TimelineEntries.importWords, share: 4, entry: TimelineEntries.imports),
        FuzzTarget("har", words: TimelineEntries.importWords, share: 2, entry: LifterEntries.har),
        FuzzTarget("masks", words: TimelineEntries.importWords, share: 4, entry: TimelineEntries.masks),
        FuzzTarget(
            "lifter", words: LifterEntries.words, maxBytes: 512, share: 1, entry: LifterEntries.lifter),
        FuzzTarget("markup", words: PresentationEntries.words, share: 2, entry: PresentationEntries.markup),
        FuzzTarget("rows", maxBytes: 1_024, share: 1, entry: PresentationEntries.rows),
    ]

    package static func named(_ name: String) -> FuzzTarget? {
        all.first { $0.name == name }
    }
}

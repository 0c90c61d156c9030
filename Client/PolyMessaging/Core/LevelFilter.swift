package struct LevelFilter: PolyLogger {
    package let level: LogLevel
    private let sink: any PolyLogger

    package init(level: LogLevel, sink: any PolyLogger) {
        self.level = level
        self.sink = sink
    }

    package func debug(_ message: String, metadata: [String: any Sendable]?) {
        if level >= .debug { sink.debug(message, metadata: metadata) }
    }

    package func info(_ message: String, metadata: [String: any Sendable]?) {
        if level >= .info { sink.info(message, metadata: metadata) }
    }

    package func warn(_ message: String, metadata: [String: any Sendable]?) {
        if level >= .warn { sink.warn(message, metadata: metadata) }
    }

    package func error(_ message: String, metadata: [String: any Sendable]?) {
        if level >= .error { sink.error(message, metadata: metadata) }
    }
}

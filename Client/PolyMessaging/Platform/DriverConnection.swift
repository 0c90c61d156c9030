#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

struct DriverConnection: Connection {
    let driver: ClientDriver

    func connect(url: URL) async {
        driver.submit(.rawConnect(url))
        await driver.settle()
    }

    func disconnect(code: Int, reason: String) async {
        driver.submit(.rawDisconnect(code: code, reason: reason))
        await driver.settle()
    }

    func send(_ event: OutgoingEvent) async {
        try? await driver.call { .rawEvent(event, $0) }
    }

    func sendRaw(_ data: Data) async throws {
        let bytes = [UInt8](data)
        try await driver.call { .rawFrame(bytes, $0) }
    }

    var status: ConnectionStatus {
        get async {
            await driver.settle()
            return driver.streams.statuses.latest ?? .idle
        }
    }

    var openEvents: AsyncStream<Void> { driver.streams.opens.subscribe() }
    var closeEvents: AsyncStream<ConnectionCloseEvent> { driver.streams.closes.subscribe() }
    var messages: AsyncStream<MessagingEvent> { driver.streams.messages.subscribe() }
    var batchEvents: AsyncStream<[MessagingEvent]> { driver.streams.batches.subscribe() }
    var rawFrames: AsyncStream<Data> { driver.streams.frames.subscribe() }
    var errors: AsyncStream<PolyError> { driver.streams.errors.subscribe() }
}

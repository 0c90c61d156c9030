#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The escape hatch of a client: its connection, as it is.
package struct DriverConnection: Connection {
    private let driver: ClientDriver

    package init(driver: ClientDriver) {
        self.driver = driver
    }

    package func connect(url: URL) async {
        driver.submit(.rawConnect(url))
        await driver.settle()
    }

    package func disconnect(code: Int, reason: String) async {
        driver.submit(.rawDisconnect(code: code, reason: reason))
        await driver.settle()
    }

    package func send(_ event: OutgoingEvent) async {
        try? await driver.call { .rawEvent(event, $0) }
    }

    package func sendRaw(_ data: Data) async throws {
        let bytes = [UInt8](data)
        try await driver.call { .rawFrame(bytes, $0) }
    }

    package var status: ConnectionStatus {
        get async {
            await driver.settle()
            return driver.streams.statuses.latest ?? .idle
        }
    }

    package var openEvents: AsyncStream<Void> { driver.streams.opens.subscribe() }
    package var closeEvents: AsyncStream<ConnectionCloseEvent> { driver.streams.closes.subscribe() }
    package var messages: AsyncStream<MessagingEvent> { driver.streams.messages.subscribe() }
    package var batchEvents: AsyncStream<[MessagingEvent]> { driver.streams.batches.subscribe() }
    package var rawFrames: AsyncStream<Data> { driver.streams.frames.subscribe() }
    package var errors: AsyncStream<PolyError> { driver.streams.errors.subscribe() }
}

import Expectations
import SocketTransport
import Testing

@testable import HTTPClient

@Suite("Which address is tried next")
struct AddressRaceTests {
    @Test("Addresses take turns by family, the preferred one first (RFC 8305 §4)")
    func interleaved() throws {
        func small(_ last: Int) throws -> SocketAddress {
            try #require(SocketAddress(host: "10.0.0.\(last)", port: 0))
        }
        func large(_ last: Int) throws -> SocketAddress {
            try #require(SocketAddress(host: "fd00::\(last)", port: 0))
        }
        var race = AddressRace([try large(1), try large(2), try large(3), try small(1)])
        let expected = [try large(1), try small(1), try large(2), try large(3)]
        for address in expected { expectEqual(race.next(), address) }
        expectEqual(race.next(), nil)
    }

    @Test("Of very many addresses a few are tried (ClientLimits.addresses)")
    func many() {
        var race = AddressRace((1...100).compactMap { SocketAddress(host: "10.0.0.\($0)", port: 0) })
        var count = 0
        while race.next() != nil { count += 1 }
        expectEqual(count, ClientLimits.addresses)
        var none = AddressRace([])
        #expect(none.isEmpty && none.next() == nil)
    }
}

@Suite("What waits for its owner")
struct BacklogTests {
    private let limit = 512 << 10

    @Test("Reading stops above the bound and goes on below half of it, once each")
    func stops() {
        let backlog = Backlog(limitBytes: limit)
        let size = limit / 4 - ClientLimits.messageCost
        expectEqual((1...6).map { _ in backlog.add(size) }, [false, false, false, false, true, false])
        expectEqual(
            (1...6).map { _ in backlog.remove(size) }, [false, false, false, true, false, false])
        expectEqual((1...5).map { _ in backlog.add(size) }.last, true)
    }

    @Test("Messages cost their number, not only their bytes")
    func smallMessages() {
        let backlog = Backlog(limitBytes: limit)
        var count = 0
        while !backlog.add(0) { count += 1 }
        expectEqual(count, limit / ClientLimits.messageCost)
    }
}

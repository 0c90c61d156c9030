import Clocks
import DialectKit
import Expectations
import PolyDialect
import Testing

/// Connections that are cut as soon as they are open: the pause has to grow all the same.
@Suite("Coming back to a connection that is cut at once")
struct HastyReturnTests {
    /// Comes back so often, each time after the pause given for its number, and is cut at once.
    private func comeBack(
        _ times: Int, cause: DropCause = .fault(code: 1011), cursor: UInt64? = 3, life: Interval = .zero,
        _ pause: (Int) -> Interval
    ) -> Watch {
        var watch = Watch()
        watch.begin()
        for number in 1...times {
            watch.wait(life)
            watch.drop(UInt64(number), cause)
            watch.wait(pause(number))
            watch.connect(UInt64(number) + 1, cursor: cursor)
        }
        return watch
    }

    /// protocol.md#reconnect-backoff
    @Test("A client that comes back every second is told of, at the seventh time in a row")
    func everySecond() {
        #expect(comeBack(6) { _ in .seconds(1) }.told.isEmpty)
        let watch = comeBack(7) { _ in .seconds(1) }
        expectEqual(watch.protocolRules, ["reconnect-backoff"])
        expectEqual(watch.told.first?.detail.contains("7 times in a row"), true)
    }

    @Test("A client whose pauses grow is not", arguments: [0.8, 1.0, 1.2] as [Double])
    func growing(_ share: Double) {
        let watch = comeBack(40) { number in
            Interval.seconds(1 << Int64(min(number - 1, 4))).scaled(by: share)
        }
        #expect(watch.told.isEmpty)
    }

    @Test("Connections that lasted, or that the client's side lost, do not count")
    func others() {
        #expect(comeBack(40, life: .seconds(3)) { _ in .seconds(1) }.told.isEmpty)
        #expect(comeBack(40, cause: .lost) { _ in .seconds(1) }.told.isEmpty)
        #expect(comeBack(40, cause: .fault(code: 4001)) { _ in .seconds(1) }.told.isEmpty)
    }

    @Test("Where several clients may share the session, it takes more than they could do together")
    func shared() {
        #expect(comeBack(25, cursor: nil) { _ in .seconds(1) }.told.isEmpty)
        expectEqual(comeBack(26, cursor: nil) { _ in .seconds(1) }.protocolRules, ["reconnect-backoff"])
    }
}

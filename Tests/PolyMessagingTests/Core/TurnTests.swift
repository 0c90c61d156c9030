import Clocks
import PolyMessaging
import Testing

@Suite("Turns of the client end")
struct TurnTests {
    @Test("A deadline that is always due leaves the turn after so many runs, and is still due")
    func endless() {
        var bench = Bench()
        bench.startAndOpen()
        bench.give(.networkLost)
        // At the end of time every later moment is the same one.
        let end = Instant.distantFuture
        _ = bench.core.advance(to: end)
        #expect(bench.core.nextDeadline.map { $0 <= end } ?? true)
    }
}

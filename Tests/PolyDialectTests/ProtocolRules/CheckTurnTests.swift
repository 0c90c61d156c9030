import Clocks
import DialectKit
import PolyDialect
import Testing

@Suite("A look at silences ends")
struct CheckTurnTests {
    @Test(
        "However late the look is, each session is looked at once",
        arguments: [1, 1_000, 1_000_000] as [Int64])
    func ends(seconds: Int64) {
        var watch = Watch()
        watch.begin()
        let now = watch.now + .seconds(seconds)
        #expect(watch.rules.check(at: now).count <= 1)
        #expect(watch.rules.check(at: .distantFuture).count <= 1)
    }
}

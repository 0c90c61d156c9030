import Clocks
import Expectations
import ServerCore
import Testing

@Suite("The desk of faults")
struct FaultRegistryTests {
    @Test("A reset makes tokens good again that a fault let expire")
    func reset() {
        var desk = FaultRegistry(seed: 1)
        let moment = Instant(secondsSince1970: 5)
        desk.expire("owner", dialect: 1, at: moment)
        expectEqual(desk.expiry(of: "owner", dialect: 1), moment)
        expectEqual(desk.expiry(of: "owner", dialect: 0), nil)
        expectEqual(desk.expiry(of: "somebody else", dialect: 1), nil)
        desk.forgetLines()
        expectEqual(desk.expiry(of: "owner", dialect: 1), nil)
    }
}

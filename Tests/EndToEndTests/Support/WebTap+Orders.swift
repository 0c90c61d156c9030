import Clocks
import MockKit

extension WebTap {
    /// Cuts the connection in place of the incoming messages whose running number `cuts` picks.
    func cutInbound(when cuts: @escaping @Sendable (Int) -> Bool) {
        judgeInbound(Self.cutting(when: cuts))
    }

    /// Cuts the connection in place of the outgoing messages whose running number `cuts` picks.
    func cutOutbound(when cuts: @escaping @Sendable (Int) -> Bool) {
        judgeOutbound(Self.cutting(when: cuts))
    }

    /// Loses the outgoing messages that `loses` picks, although the connection lives.
    func loseOutbound(when loses: @escaping @Sendable (String) -> Bool) {
        judgeOutbound { Delivery(loses(String(decoding: $0, as: UTF8.self)) ? [] : [$0]) }
    }

    private static func cutting(
        when cuts: @escaping @Sendable (Int) -> Bool
    ) -> @Sendable ([UInt8]) -> Delivery {
        let count = Locked(0)
        return { message in
            let number = count.withLock { count in
                count += 1
                return count
            }
            let isCut = cuts(number)
            return Delivery(isCut ? [] : [message], isCut: isCut)
        }
    }
}

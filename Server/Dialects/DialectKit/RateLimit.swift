/// A token bucket: `burst` requests at once, then `perSecond` on average.
package struct RateLimit: Hashable, Sendable {
    package var burst: Int
    package var perSecond: Double

    package init(burst: Int, perSecond: Double) {
        self.burst = burst
        self.perSecond = perSecond
    }
}

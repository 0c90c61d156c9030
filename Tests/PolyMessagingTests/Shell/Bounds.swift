import PolyMessaging

/// The SDK's limits, where other modules' limits are in sight.
typealias Bounds = Limits

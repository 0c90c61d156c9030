import AGUIDialect
public import Clocks

extension Configuration {
    /// Agent runs over AG-UI on the same port: what the protocol leaves open, or a test wants otherwise.
    public struct AgentRuns: Sendable, Equatable {
        /// What a run gets that is asked for while another one of its thread goes on.
        public enum SecondRun: String, Sendable, CaseIterable {
            /// It begins when the first one is over.
            case wait
            /// 409 `thread_busy`.
            case refuse
        }

        /// The answer to a run that brings words while a question waits for its decision.
        public enum Words: String, Sendable, CaseIterable {
            /// The words abandon the question, and are answered.
            case accept
            /// The run fails with `interrupt_not_covered`, and the question waits on.
            case refuse
        }

        /// Which shapes of events clients get.
        public enum Profile: String, Sendable, CaseIterable {
            /// Version 1 for requests that name it, version 0 for all others.
            case auto
            case v0
            case v1
            /// Version 0 as its oldest clients read it: reasoning under its retired names, no activities, one open text
            /// or call at a time.
            case legacy
        }

        /// Default true; false leaves its paths unknown.
        public var isOn = true
        /// Bytes of the body of a request for a run; more get 413. Default 16 MiB.
        public var bodyBytes = 16 << 20
        /// A comment is sent when a stream was silent for so long; zero: never. Default 15 seconds.
        public var keepAlive = Interval.seconds(15)
        /// Default ``SecondRun/wait``.
        public var secondRun = SecondRun.wait
        /// Default ``Words/accept``.
        public var words = Words.accept
        /// Default ``Profile/auto``.
        public var profile = Profile.auto

        /// The defaults above.
        public init() {}
    }
}

extension AGUIOptions {
    /// What rows of the table do not tell.
    mutating func take(_ settings: Configuration.AgentRuns) {
        keepAlive = settings.keepAlive == .zero ? nil : settings.keepAlive
        refusesSecondRun = settings.secondRun == .refuse
        refusesWords = settings.words == .refuse
        profile =
            switch settings.profile {
            case .auto: nil
            case .v0: .v0
            case .v1: .v1
            case .legacy: .legacy
            }
    }
}

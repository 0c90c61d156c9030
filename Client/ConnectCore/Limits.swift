import Clocks

/// Bounds and pauses of the client: name, unit, default, reason.
package enum Limits {
    /// Time-out of one attempt of a request. 15 s: a slow mobile network needs a few.
    static let requestTimeout = Interval.seconds(15)
    /// Attempts of a request on no answer, 429, 500, 502, 503 or 504. 3, as in the service's own SDKs.
    static let requestTries = 3
    /// Longest pause before a retry that a server can ask for.
    static let longestRetryAfter = Interval.seconds(10)
    /// Time-out of a custom client's answer, which includes its own retries.
    static let customAnswer = Interval.seconds(60)
    /// Time-out of opening a WebSocket.
    static let dial = Interval.seconds(10)
    /// Pause between two subscription frames, which are repeated until answered.
    static let subscribePause = Interval.seconds(1)
    static let subscribeTries = 4
    /// Time-out of `connect` as a whole.
    static let connect = Interval.seconds(30)
    /// Interval of pings. The service drops connections that are silent for longer.
    static let heartbeat = Interval.seconds(10)
    /// Lifetime after which a connection resets the reconnect pauses.
    static let settled = Interval.seconds(10)
    /// The longest pause before a reconnect.
    static let longestPause = Interval.seconds(30)
    /// A WebSocket URL is valid for 100 s; 85 s leave time to connect.
    static let addressAge = Interval.seconds(85)
    /// Age at which a connection is renewed; the service ends it after an hour.
    static let connectionAge = Interval.seconds(3_540)
    /// Time before an expiry at which credentials are renewed, but not before half of their lifetime, nor
    /// sooner than this after the last renewal: a wrong clock or a short lifetime must not cause a flood of
    /// renewals.
    static let renewBefore = Interval.seconds(60)
    static let renewPause = Interval.seconds(30)
    /// Items of the first page, and of each page of a catch-up.
    package static let firstPage = 30
    static let catchUpPage = 100
    /// Pages that one catch-up reads forward. 20: 2,000 items, hours of a busy chat.
    static let catchUpPages = 20
    /// Catch-ups for one outage. 10: 20,000 items, so that a server cannot keep a client reading for ever.
    static let catchUps = 10
    /// Time in which a reply that was being streamed at a disconnect is looked for. A minute: few take as
    /// long.
    static let streamedFor = Interval.seconds(60)
    /// Catch-up starts remembered for that time.
    static let keptStarts = 30
    /// Maximum number of pages read backwards until one overlaps.
    static let overlapPages = 10
    /// Maximum time that live items wait for a catch-up.
    static let catchUpHold = Interval.seconds(5)
    /// Maximum number of live items that wait for a catch-up. 1,000: minutes of the busiest chat.
    static let heldItems = 1_000
    /// Minimum time between own typing events, and display time of others'.
    static let typingWindow = Interval.seconds(10)
    static let typingShown = Interval.seconds(12)
    /// Participants shown as typing, the newest if there are more. 20: more than a chat has participants.
    static let typists = 20
    /// Shortest receipt window that an app can set, which bounds the timer rate.
    static let shortestWindow = Interval.milliseconds(100)
    /// Rows kept of a transcript, the newest if there are more. 20,000: as many as all catch-ups of an outage
    /// read.
    package static let keptRows = 20_000
    /// Bytes of the kept rows' texts and items. 64 MiB: 2,000 items of 16 KiB, each with its text.
    static let keptRowBytes = 64 << 20
    /// Length above which a streamed message adds several pieces at once. 16 KiB: the longest that the
    /// service sends.
    static let grownAtOnce = 16 << 10
    /// Longest delay of the pieces of a long message.
    static let growthPause = Interval.milliseconds(250)
    /// Long messages that grow concurrently; beyond that, the oldest one's pieces are shown at once.
    static let growingRows = 20
    /// Time that a delivered receipt waits for a read one.
    static let deliveredWait = Interval.seconds(3)
    /// Receipts kept for messages that are not known yet, and delivered receipts remembered.
    static let keptReceipts = 100
    /// Time to wait for the last items after DisconnectParticipant.
    static let farewell = Interval.seconds(2)
    /// Largest time difference at which an item is matched with a failed message.
    static let foundAgain = Interval.minutes(5)
    /// Unread events kept for a subscriber.
    static let unreadEvents = 1_000
    /// Work items that wait for the main actor, or events for a lossless listener; above it reading pauses.
    /// 256: the newest half second of a flood.
    static let unshown = 256
    /// Maximum body of an answer. 4 MiB: a page of 100 items of 16 KiB, escaped.
    static let answerBytes = 4 << 20
    /// Time-out of sending a file, or of the start of its answer. 10 minutes: 20 MB over a slow mobile
    /// network.
    static let fileTimeout = Interval.minutes(10)
    /// Memory of a download: bytes read and not yet written. An upload uses `ClientLimits/fileBytes`.
    static let fileInMemory = 256 << 10
    /// Maximum size of a download. 20 MB is the service's own limit.
    static let fileBytes = 20 << 20
    /// Maximum size of an incoming WebSocket message. 1 MiB: an item has 16 KiB, twice escaped.
    static let messageBytes = 1 << 20
    /// Limit of received bytes of a WebSocket that the client has not handled.
    static let unhandledBytes = 512 << 10
}

import Clocks

package enum ConnectLimits {
    /// Time-out of one attempt of a request.
    static let requestTimeout = Interval.seconds(15)
    /// Maximum attempts of a request, as in the service's SDKs.
    static let requestTries = 3
    /// Maximum pause taken from a `Retry-After` header.
    static let longestRetryAfter = Interval.seconds(10)
    /// Time-out of a custom client's answer, including the client's own retries.
    static let customAnswer = Interval.seconds(60)
    static let dial = Interval.seconds(10)
    /// Pause before an unanswered subscription frame is repeated.
    static let subscribePause = Interval.seconds(1)
    static let subscribeTries = 4
    static let connect = Interval.seconds(30)
    /// Interval of pings and heartbeat messages.
    static let heartbeat = Interval.seconds(10)
    /// Minimum duration of a connection that resets the reconnect pauses.
    static let settled = Interval.seconds(10)
    static let longestPause = Interval.seconds(30)
    /// Maximum age of a WebSocket URL when used. It is valid for 100 s; 85 s leave time to connect.
    static let addressAge = Interval.seconds(85)
    /// Age at which a connection is renewed: the service ends it after an hour.
    static let connectionAge = Interval.seconds(3_540)
    /// Time before expiry at which credentials are renewed.
    static let renewBefore = Interval.seconds(60)
    /// Minimum time between two renewals: a wrong clock must cause no flood of requests.
    static let renewPause = Interval.seconds(30)
    package static let firstPage = 30
    static let catchUpPage = 100
    /// Maximum pages that one catch-up reads forward: 2,000 items.
    static let catchUpPages = 20
    /// Maximum catch-ups in a row: 20,000 items. A server might always return one more page.
    static let catchUps = 10
    /// For this long after a catch-up, later ones begin at its start again: a reply that was streaming then may be
    /// complete now.
    static let streamedFor = Interval.seconds(60)
    static let keptStarts = 30
    /// Maximum pages read backward to find known items.
    static let overlapPages = 10
    static let catchUpHold = Interval.seconds(5)
    /// Maximum live items held back while pages are read.
    static let heldItems = 1_000
    static let typingWindow = Interval.seconds(10)
    static let typingShown = Interval.seconds(12)
    /// Maximum participants shown as typing.
    static let typists = 20
    /// Minimum throttle window of receipts, except zero. Limits how often the timer fires.
    static let shortestWindow = Interval.milliseconds(100)
    /// Maximum rows of a transcript, as many as the catch-ups of one outage can read.
    package static let keptRows = 20_000
    /// Maximum bytes of the rows' texts and frames: 2,000 frames of 16 KiB with texts as long.
    static let keptRowBytes = 64 << 20
    /// Length of a streamed message, in bytes, from which fragments are added in batches: the service's longest
    /// message.
    static let grownAtOnce = 16 << 10
    /// Maximum time that a fragment of a long message waits for its batch.
    static let growthPause = Interval.milliseconds(250)
    /// Maximum long messages with waiting fragments. Beyond it, the fragments that wait longest are added at once.
    static let growingRows = 20
    /// Time that a delivered receipt waits for a read receipt to replace it.
    static let deliveredWait = Interval.seconds(3)
    /// Maximum receipts kept for messages that have not arrived, and maximum receipts remembered as reported.
    static let keptReceipts = 100
    static let farewell = Interval.seconds(2)
    /// Maximum time between an own message and an item, to match them by text. Does not apply to a live item and a
    /// message being sent.
    static let foundAgain = Interval.minutes(5)
    /// Maximum unread events of a listener without backpressure.
    static let unreadEvents = 1_000
    /// Maximum pieces of work waiting for the main actor, and maximum unread events of a listener with backpressure.
    static let unshown = 256
    /// Maximum response body: a page of 100 items of 16 KiB, with JSON escapes.
    static let answerBytes = 4 << 20
    /// Time-out of an upload, and of a download without new data: enough for 20 MB over a slow mobile network.
    static let fileTimeout = Interval.minutes(10)
    /// Maximum bytes of a download not yet written to disk.
    static let fileInMemory = 256 << 10
    /// Maximum size of a download: the service's own limit.
    static let fileBytes = 20 << 20
    /// Maximum incoming WebSocket message: an item of 16 KiB, JSON-escaped twice.
    static let messageBytes = 1 << 20
    static let unhandledBytes = 512 << 10
}

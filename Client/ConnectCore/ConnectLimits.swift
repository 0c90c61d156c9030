import Clocks

/// Limits and time-outs of the client.
package enum ConnectLimits {
    /// Time-out of one attempt of a request. A slow mobile network needs a few seconds.
    static let requestTimeout = Interval.seconds(15)
    /// Maximum attempts of a request. A request is repeated if there is no answer, or the status is 429, 500, 502, 503
    /// or 504. The service's own SDKs use 3.
    static let requestTries = 3
    /// Maximum pause that a `Retry-After` header can request.
    static let longestRetryAfter = Interval.seconds(10)
    /// Time-out of a custom client's answer, including the client's own retries.
    static let customAnswer = Interval.seconds(60)
    /// Time-out of opening a WebSocket, with its handshake.
    static let dial = Interval.seconds(10)
    /// Pause between two subscription frames. The frame is repeated until the service answers.
    static let subscribePause = Interval.seconds(1)
    static let subscribeTries = 4
    /// Time-out of `connect` as a whole.
    static let connect = Interval.seconds(30)
    /// Interval of pings. The service closes connections that stay silent.
    static let heartbeat = Interval.seconds(10)
    /// Time that a connection must last before the reconnect pauses start again from the shortest.
    static let settled = Interval.seconds(10)
    /// Maximum pause before a reconnect or a page retry.
    static let longestPause = Interval.seconds(30)
    /// Maximum age of a WebSocket URL when it is used. The URL is valid for 100 s; 85 s leave time to connect.
    static let addressAge = Interval.seconds(85)
    /// Age at which a connection is renewed; the service ends it after an hour.
    static let connectionAge = Interval.seconds(3_540)
    /// Time before the expiry of credentials at which they are renewed. Short-lived credentials are renewed after half
    /// of their lifetime at the earliest.
    static let renewBefore = Interval.seconds(60)
    /// Minimum time between two renewals, so that a wrong clock or a short lifetime causes no flood of requests.
    static let renewPause = Interval.seconds(30)
    /// Number of items of the first transcript page.
    package static let firstPage = 30
    /// Number of items of each page of a catch-up.
    static let catchUpPage = 100
    /// Maximum pages that one catch-up reads forward. 20 pages have 2,000 items, which is hours of a busy chat.
    static let catchUpPages = 20
    /// Maximum catch-ups in a row. Together they read at most 20,000 items. The limit stops a server that always
    /// returns one more page.
    static let catchUps = 10
    /// Period after the start of a catch-up. Later catch-ups in this period begin at the same item, because a reply
    /// that was being streamed may be complete now.
    static let streamedFor = Interval.seconds(60)
    /// Maximum catch-up starts remembered for ``streamedFor``.
    static let keptStarts = 30
    /// Maximum number of pages read backward to find one that overlaps with known items.
    static let overlapPages = 10
    /// Maximum time that live items are held back during a catch-up.
    static let catchUpHold = Interval.seconds(5)
    /// Maximum number of live items held back during a catch-up. Even the busiest chat takes minutes to produce 1,000
    /// items.
    static let heldItems = 1_000
    /// Minimum time between own typing events.
    static let typingWindow = Interval.seconds(10)
    /// Time for which another participant's typing is shown after the typing event.
    static let typingShown = Interval.seconds(12)
    /// Maximum participants shown as typing; the newest are kept. A chat has fewer than 20 participants.
    static let typists = 20
    /// Minimum time window for receipts that an app can set. The minimum limits how often the timer fires.
    static let shortestWindow = Interval.milliseconds(100)
    /// Maximum rows of a transcript; the oldest are dropped. 20,000 rows: as many items as the catch-ups of one outage
    /// can read.
    package static let keptRows = 20_000
    /// Maximum bytes of the rows' texts and frames. 64 MiB: 2,000 frames of 16 KiB, and their texts of the same size.
    static let keptRowBytes = 64 << 20
    /// Minimum length in bytes of a streamed message whose new fragments are added in batches. 16 KiB is the longest
    /// message that the service sends.
    static let grownAtOnce = 16 << 10
    /// Maximum time that a fragment of a long message waits for its batch.
    static let growthPause = Interval.milliseconds(250)
    /// Maximum number of long messages whose fragments wait for a batch. If there is one more, the waiting fragments of
    /// the oldest message are shown at once.
    static let growingRows = 20
    /// Time that a delivered receipt waits for a read receipt, which replaces it.
    static let deliveredWait = Interval.seconds(3)
    /// Maximum receipts kept for messages that have not arrived. Also the maximum of remembered receipts that were
    /// reported to the app.
    static let keptReceipts = 100
    /// Time to wait for the last items after the request DisconnectParticipant.
    static let farewell = Interval.seconds(2)
    /// Maximum time between an own message and a received item with the same text. With more time between them, they
    /// count as different messages.
    static let foundAgain = Interval.minutes(5)
    /// Maximum unread events of a subscriber. Above it, the oldest events are dropped.
    static let unreadEvents = 1_000
    /// Maximum work items waiting for the main actor. Also the maximum unread events of a lossless listener. Above
    /// either, reading from the socket pauses.
    static let unshown = 256
    /// Maximum size of a response body. 4 MiB: a page of 100 items of 16 KiB, and room for JSON escapes.
    static let answerBytes = 4 << 20
    /// Time-out of a whole upload, and maximum time without new data in a download. 20 MB take 10 minutes over a slow
    /// mobile network.
    static let fileTimeout = Interval.minutes(10)
    /// Maximum bytes of a download that are read but not yet written to disk. The limit for uploads is
    /// `ClientLimits/fileBytes`.
    static let fileInMemory = 256 << 10
    /// Maximum size of a download. 20 MB is the service's own limit.
    static let fileBytes = 20 << 20
    /// Maximum size of an incoming WebSocket message. 1 MiB is enough for an item of 16 KiB that is JSON-escaped twice.
    static let messageBytes = 1 << 20
    /// Maximum bytes received on a WebSocket that the client has not handled.
    static let unhandledBytes = 512 << 10
}

import Clocks

/// Limits and time-outs of the client.
package enum ConnectLimits {
    /// Time-out of one attempt of a request. A slow mobile network needs a few seconds.
    static let requestTimeout = Interval.seconds(15)
    /// Maximum attempts of a request after no answer, 429, 500, 502, 503 or 504. The service's own SDKs use 3.
    static let requestTries = 3
    /// Maximum pause that a `Retry-After` header can request.
    static let longestRetryAfter = Interval.seconds(10)
    /// Time-out of a custom client's answer, including the client's own retries.
    static let customAnswer = Interval.seconds(60)
    /// Time-out of opening a WebSocket.
    static let dial = Interval.seconds(10)
    /// Pause between two subscription frames, which are repeated until the service answers.
    static let subscribePause = Interval.seconds(1)
    static let subscribeTries = 4
    /// Time-out of `connect` as a whole.
    static let connect = Interval.seconds(30)
    /// Interval of pings. The service closes connections that stay silent.
    static let heartbeat = Interval.seconds(10)
    /// Lifetime after which a connection resets the reconnect pauses.
    static let settled = Interval.seconds(10)
    /// Maximum pause before a reconnect or a page retry.
    static let longestPause = Interval.seconds(30)
    /// Maximum age of a WebSocket URL when it is used. The URL is valid for 100 s; 85 s leave time to connect.
    static let addressAge = Interval.seconds(85)
    /// Age at which a connection is renewed; the service ends it after an hour.
    static let connectionAge = Interval.seconds(3_540)
    /// Time before their expiry at which credentials are renewed, but not before half of their lifetime.
    static let renewBefore = Interval.seconds(60)
    /// Minimum time between two renewals, so that a wrong clock or a short lifetime causes no flood of requests.
    static let renewPause = Interval.seconds(30)
    /// Items of the first transcript page.
    package static let firstPage = 30
    /// Items of each page of a catch-up.
    static let catchUpPage = 100
    /// Maximum pages that one catch-up reads forward. 20 pages are 2,000 items: hours of a busy chat.
    static let catchUpPages = 20
    /// Maximum catch-ups in a row. 10 catch-ups read 20,000 items. The limit stops a server that has endless pages.
    static let catchUps = 10
    /// Time after a disconnect in which a catch-up looks for a reply that was being streamed.
    static let streamedFor = Interval.seconds(60)
    /// Maximum catch-up starts remembered for ``streamedFor``.
    static let keptStarts = 30
    /// Maximum number of pages read backwards until one overlaps.
    static let overlapPages = 10
    /// Maximum time that live items are held back during a catch-up.
    static let catchUpHold = Interval.seconds(5)
    /// Maximum number of live items held back during a catch-up. 1,000 items are minutes of the busiest chat.
    static let heldItems = 1_000
    /// Minimum time between own typing events.
    static let typingWindow = Interval.seconds(10)
    /// Time for which others' typing is shown.
    static let typingShown = Interval.seconds(12)
    /// Maximum participants shown as typing; the newest are kept. 20: more participants than a chat has.
    static let typists = 20
    /// Minimum receipt window that an app can set, which limits the timer rate.
    static let shortestWindow = Interval.milliseconds(100)
    /// Maximum rows of a transcript; the oldest are dropped. All catch-ups of one outage can read 20,000 rows.
    package static let keptRows = 20_000
    /// Maximum bytes of the rows' texts and frames. 64 MiB hold 2,000 items of 16 KiB, each with its text.
    static let keptRowBytes = 64 << 20
    /// Length in bytes from which fragments are added in batches. 16 KiB is the longest message that the service sends.
    static let grownAtOnce = 16 << 10
    /// Maximum delay of a fragment of a long message.
    static let growthPause = Interval.milliseconds(250)
    /// Maximum long messages with delayed fragments. Above it, the fragments of the oldest message are shown at once.
    static let growingRows = 20
    /// Time that a delivered receipt waits for a read receipt, which replaces it.
    static let deliveredWait = Interval.seconds(3)
    /// Maximum receipts kept for messages that have not arrived, and maximum reported receipts remembered.
    static let keptReceipts = 100
    /// Time to wait for the last items after DisconnectParticipant.
    static let farewell = Interval.seconds(2)
    /// Maximum time difference at which an item is matched with a failed message.
    static let foundAgain = Interval.minutes(5)
    /// Maximum unread events of a subscriber.
    static let unreadEvents = 1_000
    /// Maximum waiting work items of the main actor, or unread events of a lossless listener. Above it, reading pauses.
    static let unshown = 256
    /// Maximum size of a response body. 4 MiB hold a page of 100 items of 16 KiB, JSON-escaped.
    static let answerBytes = 4 << 20
    /// Time-out of an upload; for a download, maximum time without data. 10 minutes: 20 MB over a slow mobile network.
    static let fileTimeout = Interval.minutes(10)
    /// Maximum bytes of a download that are read but not yet written. An upload uses `ClientLimits/fileBytes`.
    static let fileInMemory = 256 << 10
    /// Maximum size of a download. 20 MB is the service's own limit.
    static let fileBytes = 20 << 20
    /// Maximum size of an incoming WebSocket message. 1 MiB: room for an item of 16 KiB that is JSON-escaped twice.
    static let messageBytes = 1 << 20
    /// Maximum bytes received on a WebSocket that the client has not handled.
    static let unhandledBytes = 512 << 10
}

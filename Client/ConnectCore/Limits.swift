import Clocks

/// Bounds and pauses of the client: name, unit, default, reason.
package enum Limits {
    /// One try of a request. 15 s: a slow mobile network needs a few.
    static let requestTimeout = Interval.seconds(15)
    /// Tries of a request on no answer, 429, 500, 502, 503, 504. 3, as the service's own SDKs make.
    static let requestTries = 3
    /// The longest pause before a further try that a server can ask for.
    static let longestRetryAfter = Interval.seconds(10)
    /// The answer of a custom client, which brings its own tries.
    static let customAnswer = Interval.seconds(60)
    /// Until a WebSocket is open.
    static let dial = Interval.seconds(10)
    /// Between two frames that ask for the subscription, and how often is asked.
    static let subscribePause = Interval.seconds(1)
    static let subscribeTries = 4
    /// The whole of `connect`.
    static let connect = Interval.seconds(30)
    /// Between two pings. The service drops what is silent for longer.
    static let heartbeat = Interval.seconds(10)
    /// A connection that lived so long starts the pauses anew.
    static let settled = Interval.seconds(10)
    /// The longest pause before a reconnect.
    static let longestPause = Interval.seconds(30)
    /// An address of a WebSocket may be dialled 100 s long; 85 s leave room for the dial.
    static let addressAge = Interval.seconds(85)
    /// A connection is renewed after so long; the service ends it after an hour.
    static let connectionAge = Interval.seconds(3_540)
    /// Before an expiry, and never sooner than half of the life is over, nor than this after the last renewal: a clock that is
    /// wrong, or a life that is short, makes no storm.
    static let renewBefore = Interval.seconds(60)
    static let renewPause = Interval.seconds(30)
    /// Items of the first page, and of a page of a catch-up.
    package static let firstPage = 30
    static let catchUpPage = 100
    /// Pages that one catch-up reads forward. 20: 2,000 items, hours of a busy chat.
    static let catchUpPages = 20
    /// Catch-ups for one outage. 10: 20,000 items; a server that has more is not followed for ever.
    static let catchUps = 10
    /// A reply that was being streamed when a connection broke is looked for so long. A minute: few take as long.
    static let streamedFor = Interval.seconds(60)
    /// As many catch-ups of that time are remembered.
    static let keptStarts = 30
    /// Pages that are read backwards until one overlaps.
    static let overlapPages = 10
    /// Live items wait so long for a catch-up.
    static let catchUpHold = Interval.seconds(5)
    /// Live items that wait for a catch-up; with more it is not waited for. 1,000: minutes of the busiest chat.
    static let heldItems = 1_000
    /// Own typing goes out once in so long, and that of others is shown so long.
    static let typingWindow = Interval.seconds(10)
    static let typingShown = Interval.seconds(12)
    /// Those who are shown to be typing; of more the newest. 20: more than a chat has participants.
    static let typists = 20
    /// The shortest window of receipts that an app can ask for: a timer comes due no more often.
    static let shortestWindow = Interval.milliseconds(100)
    /// Rows of a transcript; of more the newest. 20,000: as many as all catch-ups of an outage read.
    package static let keptRows = 20_000
    /// Bytes of their texts and items. 64 MiB: 2,000 items of 16 KiB, each with its text.
    static let keptRowBytes = 64 << 20
    /// A streamed message that is longer takes several pieces at once. 16 KiB: the longest that the service sends.
    static let grownAtOnce = 16 << 10
    /// Pieces of a long message are shown after so long at the latest.
    static let growthPause = Interval.milliseconds(250)
    /// Long messages that grow at once; the piece of one more shows the oldest's.
    static let growingRows = 20
    /// A delivered receipt waits so long for a read one.
    static let deliveredWait = Interval.seconds(3)
    /// Receipts of messages that are not known yet; as many delivered ones are remembered.
    static let keptReceipts = 100
    /// After DisconnectParticipant the last items are waited for.
    static let farewell = Interval.seconds(2)
    /// A message that was given up is found again by an item at most so much older or younger.
    static let foundAgain = Interval.minutes(5)
    /// Events that a subscriber has not read.
    static let unreadEvents = 1_000
    /// Visits to the main actor, or events for a listener that holds the chat back, that wait: with more the socket is not
    /// read. 256: the newest half second of a flood.
    static let unshown = 256
    /// The body of an answer. 4 MiB: a page of 100 items of 16 KiB, escaped.
    static let answerBytes = 4 << 20
    /// Until a file was sent, or its answer has begun. 10 minutes: 20 MB over a slow mobile network.
    static let fileTimeout = Interval.minutes(10)
    /// Of a file that is fetched, in memory: what was read and not written yet. One that is sent has `ClientLimits/fileBytes`.
    static let fileInMemory = 256 << 10
    /// A file that is downloaded. 20 MB is the service's own limit.
    static let fileBytes = 20 << 20
    /// One incoming WebSocket message. 1 MiB: an item has 16 KiB, twice escaped.
    static let messageBytes = 1 << 20
    /// Reported bytes of a WebSocket that the client has not handled.
    static let unhandledBytes = 512 << 10
}

/// Account of the bytes held for clients, by kind, with limits.
///
/// | kind | reported by | limit |
/// | --- | --- | --- |
/// | bodies | requests, by announced or received bytes, and unfinished messages | ``Limits/bodies`` |
/// | journals, runs, contacts | sessions, at each change | ``Limits/sessions`` |
/// | files | the attachment store | in the store |
/// | compression | the deflate service | in the service |
/// | held | connections, when messages are held or sent | ``Limits/held`` |
/// | waits | waits that found rows | ``Limits/waits`` |
/// | all others | counted on request | in the holder |
package struct MemoryLedger: Equatable, Sendable {
    package enum Kind: Int, CaseIterable, Sendable {
        /// Requests, and incomplete WebSocket messages.
        case bodies
        case journals
        case runs
        /// State that dialects keep for sessions, such as attributes and transcript items.
        case contacts
        case files
        /// Output not yet accepted by the system's sockets.
        case output
        /// Messages held back by faults and intercepts, or queued after a history.
        case held
        case waits
        /// Windows and tables of zlib for connections with compression.
        case compression
        case feeds
        case rows
        case unmatched

        package var name: String { "\(self)" }
    }

    package struct Limits: Equatable, Sendable {
        package var sessions: Int
        package var bodies: Int
        package var held: Int
        package var waits: Int

        package init(sessions: Int, bodies: Int, held: Int = .max, waits: Int = CoreLimits.waitBytes) {
            self.held = held
            self.sessions = sessions
            self.bodies = bodies
            self.waits = waits
        }
    }

    package let limits: Limits
    private var held = [Int](repeating: 0, count: Kind.allCases.count)

    package init(limits: Limits) { self.limits = limits }

    package private(set) subscript(kind: Kind) -> Int {
        get { held[kind.rawValue] }
        set { held[kind.rawValue] = newValue }
    }

    package mutating func charge(_ bytes: Int, as kind: Kind) { self[kind] += bytes }

    /// Charges an entry of a journal. Returns ``hasRoomInSessions(for:)`` of 0 bytes, for which the ledger is copied.
    package mutating func chargeJournal(_ bytes: Int) -> Bool {
        charge(bytes, as: .journals)
        return hasRoomInSessions(for: 0)
    }

    package mutating func release(_ bytes: Int, as kind: Kind) { self[kind] -= bytes }

    package var sessionBytes: Int { self[.journals] + self[.runs] + self[.contacts] }

    package func hasRoomInSessions(for bytes: Int) -> Bool { sessionBytes + bytes <= limits.sessions }

    /// Whether bodies may hold `bytes` more.
    package func hasRoomInBodies(for bytes: Int, isLarge: Bool) -> Bool {
        self[.bodies] + bytes <= (isLarge ? largeBodies : limits.bodies)
    }

    package var largeBodies: Int { limits.bodies / 4 * 3 }
}

/// Default memory limits, as shares of the memory that the process may use.
package struct MemoryShares: Equatable, Sendable {
    package let memory: Int?

    package init(memory: Int?) { self.memory = memory }

    /// Returns the memory in bytes divided by `divisor`, from 1 MiB to `most`. If the memory is unknown: `most`.
    private func share(_ divisor: Int, most: Int) -> Int {
        min(most, memory.map { max($0 / divisor, 1 << 20) } ?? most)
    }

    /// All sessions: a quarter of the memory, at most 1 GiB.
    package var sessions: Int { share(4, most: 1 << 30) }
    /// Request bodies: an eighth of the memory, at most 192 MiB.
    package var bodies: Int { share(8, most: 192 << 20) }
    /// Files of all sessions: an eighth of the memory, at most 256 MiB.
    package var files: Int { share(8, most: 256 << 20) }
    /// Maximum concurrent long responses: an eighth of the memory divided by 128 MiB, from 1 to 16.
    package var works: Int { max(1, share(8, most: 2 << 30) >> 27) }
    /// zlib in all connections: a sixteenth of the memory, at most 128 MiB.
    package var compression: Int { share(16, most: 128 << 20) }
    /// Unsent output of all sockets: an eighth of the memory, at most 256 MiB.
    package var output: Int { share(8, most: 256 << 20) }
}

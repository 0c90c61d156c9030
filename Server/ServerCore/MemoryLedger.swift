/// Ledger of the bytes held for clients, by kind, with their limits. Holders report their bytes.
///
/// | kind | who says how much | limit |
/// | --- | --- | --- |
/// | bodies | requests: what is announced, then what has come | ``Limits/bodies`` |
/// | journals, runs, contacts | sessions, as they change | ``Limits/sessions`` |
/// | files | the attachment store | of the store |
/// | compression | the deflate service | of the service |
/// | held | connections, as messages are held or leave | ``Limits/held`` |
/// | waits | rows that were found | ``Limits/waits`` |
/// | all others | counted on request | of their own |
package struct MemoryLedger: Equatable, Sendable {
    package enum Kind: Int, CaseIterable, Sendable {
        /// Requests until their answer: bodies, and heads of more than 2 KiB. Messages of WebSockets until they are whole, and
        /// what came after one that is being inflated.
        case bodies
        case journals
        /// Input of requests for runs, and the events of runs.
        case runs
        /// Dialects' state of sessions: attributes, items, copies of earlier items.
        case contacts
        case files
        /// Output that sockets have not taken, shared bytes once.
        case output
        /// Messages held back by faults and people, and those queued after a history.
        case held
        case waits
        /// zlib's windows and tables of connections that compress.
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

    /// Adds `bytes`, which may be negative.
    package mutating func charge(_ bytes: Int, as kind: Kind) { self[kind] += bytes }

    package mutating func release(_ bytes: Int, as kind: Kind) { self[kind] -= bytes }

    /// Bytes that sessions, threads and contacts hold together.
    package var sessionBytes: Int { self[.journals] + self[.runs] + self[.contacts] }

    /// Whether sessions may hold `bytes` more.
    package func hasRoomInSessions(for bytes: Int) -> Bool { sessionBytes + bytes <= limits.sessions }

    /// Whether bodies may hold `bytes` more. A quarter is reserved for small ones: slow large bodies must not block short requests.
    package func hasRoomInBodies(for bytes: Int, isLarge: Bool) -> Bool {
        self[.bodies] + bytes <= (isLarge ? largeBodies : limits.bodies)
    }

    package var largeBodies: Int { limits.bodies / 4 * 3 }
}

/// Default memory limits of the holders, as shares of the memory that the process may use.
package struct MemoryShares: Equatable, Sendable {
    /// Bytes that the process may use; nil: not known.
    package let memory: Int?

    package init(memory: Int?) { self.memory = memory }

    /// A fraction of the memory, `most` at most.
    private func share(_ divisor: Int, most: Int) -> Int {
        min(most, memory.map { max($0 / divisor, 1 << 20) } ?? most)
    }

    /// All sessions: 1 GiB, or a quarter of the memory.
    package var sessions: Int { share(4, most: 1 << 30) }
    /// Bodies under way: 192 MiB, or an eighth.
    package var bodies: Int { share(8, most: 192 << 20) }
    /// Files of all sessions: 256 MiB, or an eighth.
    package var files: Int { share(8, most: 256 << 20) }
    /// Long answers made at once: each may hold some hundred megabytes.
    package var works: Int { max(1, share(8, most: 2 << 30) >> 27) }
    /// zlib's memory of all connections: 128 MiB, or a sixteenth.
    package var compression: Int { share(16, most: 128 << 20) }
    /// Unsent output of all sockets: 256 MiB, or an eighth.
    package var output: Int { share(8, most: 256 << 20) }
}

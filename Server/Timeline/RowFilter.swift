package import Clocks
import Patterns

/// Filter of rows, such as `dir:out type:*_MESSAGE -is:error`: terms that must all match (Shared/Docs/filters.md).
package struct RowFilter: Equatable, Sendable {
    package let text: String
    private(set) var terms: [FilterTerm]
    let names: EventNames

    package init(_ text: String, names: EventNames = .none) throws(FilterError) {
        var parser = FilterParser(text, names)
        self.init(text, try parser.terms().sorted { $0.test.cost < $1.test.cost }, names)
    }

    /// Whether a term is `session:last`.
    package var namesLastSession: Bool { terms.contains { $0.test.namesLastSession } }

    /// Returns the maximum number of steps for `rows` rows with `bytes` bytes in total.
    package func steps(forRows rows: Int, bytes: Int) -> Int {
        rows * (8 + terms.reduce(0) { $0 + $1.test.namesCompared * 32 }) + (stepsPerByte + 1) * bytes
    }

    /// Steps for each byte of a row, at most ``TimelineLimits/filterSteps``.
    package let stepsPerByte: Int

    /// Each term as its own filter, in the order of the text.
    package var parts: [RowFilter] {
        terms.sorted { $0.place < $1.place }.map { term in
            RowFilter((term.isNegated ? "-" : "") + term.text, [term], names)
        }
    }

    private init(_ text: String, _ terms: [FilterTerm], _ names: EventNames) {
        self.text = text
        self.names = names
        self.terms = terms
        stepsPerByte = terms.reduce(0) { $0 + $1.test.stepsPerByte }
    }

    /// Returns a copy of the filter in which the id `session` replaces the word `last`.
    package func naming(last session: String) -> RowFilter {
        var filter = self
        for index in filter.terms.indices {
            guard case .id(.session, let values) = filter.terms[index].test else { continue }
            filter.terms[index].test = .id(
                .session, values.map { $0.isLast ? FilterTest.IDValue(exactly: session) : $0 })
        }
        return filter
    }

    package static var fields: [String] { FilterParser.fields }

    /// Whether the row matches. `since:` and times of day refer to `now` on the server's clock.
    package func matches(_ row: Row, now: Instant) -> Bool {
        terms.allSatisfy { $0.test.holds(row, now: now) != $0.isNegated }
    }
}

struct FilterTerm: Equatable, Sendable {
    var test: FilterTest
    var isNegated: Bool
    var text = ""
    var place = 0
}

enum FilterTest: Equatable, Sendable {
    case text(FoldedText)
    case pattern(RegularExpression)
    case direction([Row.Direction])
    case kind([Row.Kind])
    case type([NamePattern])
    case number(NumberField, [NumberRange])
    case id(IDField, [IDValue])
    case state([RowState])
    case path(JSONPath)
    case since(Interval)
    case time(TimeBound, isAfter: Bool)

    enum NumberField: String, CaseIterable, Sendable {
        case n
        case seq
        case socket
        case size
        case lat
        case status
        case close
    }

    enum IDField: String, CaseIterable, Sendable {
        case session
        case corr
        case rule
        case fault
    }

    enum RowState: String, CaseIterable, Sendable {
        case error
        case unmatched
        case faulted
        case replayed
        case held = "intercepted"
    }

    struct IDValue: Equatable, Sendable {
        var name: NamePattern
        var isLast = false

        init(_ text: String, isQuoted: Bool, of field: IDField) {
            name = NamePattern(text, kind: .id, isQuoted: isQuoted)
            isLast = field == .session && !isQuoted && text.lowercased() == "last"
        }

        init(exactly id: String) { name = NamePattern(id, kind: .id, isQuoted: true) }
    }

    var namesLastSession: Bool {
        guard case .id(.session, let values) = self else { return false }
        return values.contains(where: \.isLast)
    }

    enum TimeBound: Equatable, Sendable {
        case instant(Instant)
        /// Time of day on the current day, as the time since midnight UTC.
        case ofDay(Interval)

        func instant(now: Instant) -> Instant {
            switch self {
            case .instant(let instant): return instant
            case .ofDay(let offset):
                let day = Interval.hours(24).nanoseconds
                let midnight = now.nanoseconds - (now.nanoseconds % day + day) % day
                return Instant(nanosecondsSince1970: midnight) + offset
            }
        }
    }

    /// Number of steps for each byte of a row.
    var stepsPerByte: Int {
        switch self {
        case .text(let text): text.stepsPerByte
        case .pattern: 1
        case .path: 8
        case .id(.corr, _): 2
        case .direction, .kind, .type, .number, .id, .state, .since, .time: 0
        }
    }

    /// Number of names that are compared with short texts of a row.
    var namesCompared: Int {
        switch self {
        case .type(let names): names.count
        case .id(_, let values): values.count
        default: 1
        }
    }

    /// Relative cost of the test.
    var cost: Int {
        switch self {
        case .text: 2
        case .pattern: 4
        case .path: 3
        case .id(.corr, _): 3
        case .direction, .kind, .type, .number, .id, .state, .since, .time: 1
        }
    }

    func holds(_ row: Row, now: Instant) -> Bool {
        switch self {
        case .text(let text): Self.texts(row) { text.isIn($0) }
        case .pattern(let pattern): Self.texts(row) { pattern.isFound(in: $0) }
        case .direction(let directions): directions.contains(row.direction)
        case .kind(let kinds): kinds.contains(row.kind)
        case .type(let names): names.contains { $0.takes(row.type) }
        case .number(let field, let ranges):
            field.value(row).map { value in ranges.contains { $0.contains(value) } } ?? false
        case .id(let field, let values):
            field.ids(row).contains { id in values.contains { $0.name.takes(id) } }
        case .state(let states): states.contains { $0.holds(row) }
        case .path(let path): path.holds(row)
        case .since(let length): row.time >= now - length
        case .time(let bound, let isAfter):
            isAfter ? row.time >= bound.instant(now: now) : row.time < bound.instant(now: now)
        }
    }

    /// Whether `takes` accepts at least one of the row's texts.
    private static func texts(_ row: Row, _ takes: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
        func takesText(_ text: String) -> Bool {
            guard !text.isEmpty else { return false }
            var text = text
            return text.withUTF8(takes)
        }
        return row.raw.withUnsafeBufferPointer(takes) || takesText(row.type) || takesText(row.session)
            || takesText(row.rule) || takesText(row.fault) || takesText(row.kind.rawValue)
            || row.status.map { takesText(String($0)) } ?? false
    }
}

extension FilterTest.NumberField {
    func value(_ row: Row) -> Int64? {
        switch self {
        case .n: Int64(clamping: row.number)
        case .seq: row.sequence.map { Int64(clamping: $0) }
        case .socket: row.socket == 0 ? nil : Int64(row.socket)
        case .size: Int64(row.size)
        case .lat: row.latency?.nanoseconds
        case .status: row.status.map { Int64($0) }
        case .close: row.kind == .rest ? nil : row.status.map { Int64($0) }
        }
    }
}

extension FilterTest.IDField {
    func ids(_ row: Row) -> [String] {
        switch self {
        case .session: row.session.isEmpty ? [] : [row.session]
        case .rule: row.rule.isEmpty ? [] : [row.rule]
        case .fault: row.fault.isEmpty ? [] : [row.fault]
        case .corr: row.facts.correlations
        }
    }
}

extension FilterTest.RowState {
    func holds(_ row: Row) -> Bool {
        switch self {
        case .error: row.isError
        case .unmatched: row.flags.contains(.unmatched)
        case .faulted: row.isFaulted
        case .replayed: row.flags.contains(.replayed)
        case .held: row.flags.contains(.held)
        }
    }
}

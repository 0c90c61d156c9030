import Clocks
import Texts

package struct ContactFault: Hashable, Sendable, CustomStringConvertible {
    enum Kind: Hashable, Sendable {
        case request(WebTap.Fate)
        /// Half a surrogate pair before each text: in the item's JSON, or in the frame's JSON around the item.
        case halfSurrogate(inFrame: Bool)
        case unusable
        case secondConnection
    }

    var kind: Kind
    /// Number of the participant's request or of the item, from 1.
    var number: Int

    static let fates: [WebTap.Fate] =
        [.unsent, .lost, .missing, .doubled, .late(.seconds(4)), .late(.seconds(40)), .replaced(500)]
        + [403, 404, 503].map { WebTap.Fate.refused($0) } + [.replaced(503)]

    static func all(requests: Int, items: Int) -> [ContactFault] {
        let requests = requests < 1 ? [] : Array(1...requests)
        let items = items < 1 ? [] : Array(1...items)
        let odd: [Kind] = [.halfSurrogate(inFrame: false), .halfSurrogate(inFrame: true), .unusable]
        return [ContactFault(kind: .secondConnection, number: 1)]
            + requests.flatMap { number in fates.map { ContactFault(kind: .request($0), number: number) } }
            + items.flatMap { number in odd.map { ContactFault(kind: $0, number: number) } }
    }

    package var description: String {
        switch kind {
        case .request(let fate): "request \(number): \(Self.words(of: fate))"
        case .halfSurrogate(let inFrame):
            "item \(number): half a surrogate in each text" + (inFrame ? " of the frame" : "")
        case .unusable: "item \(number): no JSON"
        case .secondConnection: "a second connection"
        }
    }

    private static func words(of fate: WebTap.Fate) -> String {
        switch fate {
        case .passes: "answered"
        case .unsent: "lost"
        case .refused(let status, _): "refused with \(status)"
        case .lost: "its answer lost"
        case .missing: "carried out and never answered"
        case .late(let pause): "its answer late by \(pause)"
        case .replaced(let status): "carried out and answered with \(status)"
        case .doubled: "arrived twice"
        }
    }

    func spoiled(_ frame: [UInt8]) -> [UInt8] {
        let text = String(decoding: frame, as: UTF8.self)
        switch kind {
        case .request, .secondConnection: return frame
        case .unusable: return Array(text.pieces(between: #"{\"#).joined(separator: #"{{\"#).utf8)
        case .halfSurrogate(let inFrame):
            let half = inFrame ? #"\ud83d"# : #"\\ud83d"#
            var spoiled = text
            for name in ["Content", "DisplayName"] {
                let start = #"\""# + name + #"\":\""#
                spoiled = spoiled.pieces(between: start).joined(separator: start + half)
            }
            return Array(spoiled.utf8)
        }
    }
}

/// A simulated client bug that only a fault reveals.
package enum ContactFlaw: Sendable, CaseIterable {
    /// A repeated message gets a new idempotency token, so the server treats it as another message.
    case freshTokens
    /// A transcript page that failed to load is not requested again.
    case noFurtherPage
    /// The item after an unreadable item is skipped as well.
    case losesNeighbour
}

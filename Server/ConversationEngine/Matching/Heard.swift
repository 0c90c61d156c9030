package struct Heard {
    package init(_ text: String) { self.text = text }
    let text: String
}
extension Hears {
    package func match(_ heard: Heard) -> [String: String]? {
        switch self {
        case .anything: return [:]
        case .phrase(let phrase), .exactly(let phrase): return heard.text.contains(phrase.source) ? [:] : nil
        case .any(let all):
            for one in all { if let captures = one.match(heard) { return captures } }
            return nil
        default: return nil
        }
    }
}
enum Folding {
    static func isSame(_ left: String, _ right: String) -> Bool { left.lowercased() == right.lowercased() }
}
enum EnglishNumbers {
    static func word(for number: Int) -> String { String(number) }
}

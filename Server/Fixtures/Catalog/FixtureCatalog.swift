/// Looking fixtures up by name.
package enum FixtureCatalog {
    /// The sentence for a name that no fixture has.
    package static func unknown(_ name: String, among names: [String]) -> String {
        if let meant = NearestName.suggestion(for: name, among: names) {
            return "no fixture is called \"\(name)\"; did you mean \"\(meant)\"?"
        }
        return "no fixture is called \"\(name)\"; there are \(names.joined(separator: ", "))"
    }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The user's browser.
package enum Browser {
    /// Candidates: the colon-separated list in `BROWSER`, then the system's own openers.
    package static var programs: [String] {
        let chosen = getenv("BROWSER").map { String(cString: $0) } ?? ""
        #if canImport(Darwin)
            let own = ["open"]
        #else
            let own = ["xdg-open", "sensible-browser"]
        #endif
        return chosen.split(separator: ":").map(String.init) + own
    }

    /// Opens `addresses` in the first program that is installed, in order, without waiting for it.
    ///
    /// - Returns: false when there is no such program.
    package static func show(_ addresses: [String], programs: [String] = programs) -> Bool {
        let shown = addresses.map(Self.quoted).joined(separator: " ")
        let names = programs.map(Self.quoted).joined(separator: " ")
        let script = """
            for program in \(names); do
                command -v "$program" >/dev/null 2>&1 || continue
                (for address in \(shown); do "$program" "$address"; done) </dev/null >/dev/null 2>&1 &
                exit 0
            done
            exit 1
            """
        guard let shell = popen(script, "r") else { return false }
        return pclose(shell) == 0
    }

    /// One word of a shell.
    static func quoted(_ word: String) -> String {
        "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

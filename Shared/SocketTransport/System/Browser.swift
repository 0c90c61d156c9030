#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Opener of web pages in the user's browser.
package enum Browser {
    /// Programs to try: those in the colon-separated list `BROWSER`, then the system's openers.
    package static var programs: [String] {
        let chosen = getenv("BROWSER").map { String(cString: $0) } ?? ""
        #if canImport(Darwin)
            let own = ["open"]
        #else
            let own = ["xdg-open", "sensible-browser"]
        #endif
        return chosen.split(separator: ":").map(String.init) + own
    }

    /// Opens `addresses` in the first program of `programs` that is installed. Does not wait for the program.
    ///
    /// - Returns: false if none of the programs is installed.
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

    static func quoted(_ word: String) -> String {
        "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

package enum Browser {
    #if canImport(Darwin)
        private static let openers = ["open"]
        /// Variables that name the display. Empty on systems that always have a display.
        package static let displays: [String] = []
    #else
        private static let openers = ["xdg-open", "sensible-browser"]
        package static let displays = ["DISPLAY", "WAYLAND_DISPLAY"]
    #endif

    /// Returns the programs to try: those in the colon-separated `BROWSER`, then the system's openers, which need a
    /// display.
    package static func programs(_ environment: (String) -> String? = Terminal.environment) -> [String] {
        let chosen = environment("BROWSER") ?? ""
        let hasDisplay = displays.isEmpty || displays.contains { environment($0)?.isEmpty == false }
        return chosen.split(separator: ":").map(String.init) + (hasDisplay ? openers : [])
    }

    /// Opens `addresses` in the first installed program, without waiting for it.
    ///
    /// - Returns: false if none of the programs is installed.
    package static func show(_ addresses: [String], programs: [String] = programs()) -> Bool {
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

import Clocks

package struct SettingFlag: Sendable {
    package let name: String
    /// Describes a valid value in error messages. Nil for a flag without a value.
    package let wanted: String?
    /// Sets the flag's value, or returns nil.
    package let set: @Sendable (inout Configuration, String) -> Void?

    private init(
        _ name: String, _ wanted: String = "a text",
        _ set: @escaping @Sendable (inout Configuration, String) -> Void?
    ) {
        (self.name, self.wanted, self.set) = (name, wanted, set)
    }

    private init(_ name: String, _ set: @escaping @Sendable (inout Configuration) -> Void) {
        (self.name, wanted, self.set) = (name, nil, { configuration, _ in set(&configuration) })
    }

    package static let all = [
        SettingFlag("--host") { $0.host = $1 },
        SettingFlag("--port", "a whole number from 0 to 65535; 0 picks one") { settings, text in
            UInt16(text).map { settings.port = $0 }
        },
        SettingFlag("--fixture") { $0.fixture = $1 },
        SettingFlag("--fixtures") { $0.fixturesFolder = $1 },
        SettingFlag("--seed", "a whole number without a sign") { settings, text in
            UInt64(text).map { settings.seed = $0 }
        },
        SettingFlag("--shard", "a number and how many there are, such as 2/4, of 256 at most") {
            settings, text in Shard(text).map { settings.shard = $0 }
        },
        SettingFlag("--signing-key") { $0.signingKey = $1 },
        SettingFlag("--trusted-proxy") { $0.trustedProxies.append($1) },
        SettingFlag("--unmatched", "pass, warn or fail") { settings, text in
            Configuration.Unmatched(rawValue: text).map { settings.unmatched = $0 }
        },
        SettingFlag("--deflate") { $0.deflate = true },
        SettingFlag("--echo") { $0.servesEcho = true },
        SettingFlag("--expires-in", "a whole number of seconds, at most \(UInt32.max)") { settings, text in
            UInt32(text).map { settings.poly.tokens.life = .seconds(Int($0)) }
        },
        SettingFlag("--no-control") { $0.control.isOn = false },
        SettingFlag("--control-token") { $0.control.token = $1 },
        SettingFlag("--pages") { $0.pages.folder = $1 },
    ]
}

import ConversationEngine
import Deflate
import DialectKit
import SocketTransport

extension Configuration {
    mutating func visit(_ visitor: inout SettingVisit) {
        visitor.visit("host", &host)
        visitor.visit("port", &port, 0...65_535)
        visitor.visit("fixture", &fixture)
        visitor.visit("fixtures", &fixturesFolder)
        visitor.visit("seed", &seed, 0...1 << 53)
        visitor.visit("shard", &shard)
        visitor.visit("signingKey", &signingKey)
        visitor.visit("trustedProxies", &trustedProxies) { proxies in
            proxies.first { SocketAddress(host: $0, port: 0) == nil }.map {
                (" has \"\(Logger.clip($0))\"", "write an address in figures such as 10.0.0.7 or ::1")
            }
        }
        visitor.visit("watchesFixtures", &watchesFixtures)
        visitor.visit("unmatched", &unmatched)
        visitor.visit("checksProtocol", &checksProtocol)
        visitor.visit("deflate", &deflate) { isOn in
            guard isOn, !DeflateService.isAvailable else { return nil }
            return (
                " needs zlib, which this polymock was built without",
                "install zlib's headers (Debian: zlib1g-dev) and build with POLYMOCK_DEFLATE=1 swift build"
            )
        }
        visitor.visit("echo", &servesEcho)
        visitor.visit("control.isOn", &control.isOn)
        visitor.visit("control.token", &control.token) { token in
            guard let token, token.isEmpty || !token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
                return nil
            }
            return (
                " is no text that a header field can carry",
                "use one or more visible ASCII characters without blanks"
            )
        }
        poly.visit(withBlock: &visitor)
        connect.visit(withBlock: &visitor)
        agentRuns.visit(withBlock: &visitor)
        for index in furtherDialects.indices { furtherDialects[index].visit(withBlock: &visitor) }
        visit(limits: &visitor)
        visit(pages: &visitor)
    }

    private mutating func visit(pages visitor: inout SettingVisit) {
        visitor.visit("pages.folder", &pages.folder) { folder in
            guard let folder, !Files.isFolder(folder) else { return nil }
            return (" \(folder) is not a folder", "name a folder such as Server/Pages/web")
        }
        visitor.visit("pages.streaming", &pages[flag: "streaming"])
        for name in [
            "token", "host", "header", "image", "agent", "agentImage", "accent", "disclaimer", "start",
            "theme", "language", "inputs",
        ] { visitor.visit("pages.\(name)", &pages[text: name]) }
        for name in ["maxLength", "idleGrace", "reconnects"] {
            visitor.visit("pages.\(name)", &pages[number: name])
        }
        for name in ["tokens", "strings", "links", "consent", "starters"] {
            visitor.visit("pages.\(name)", &pages[value: name])
        }
    }

    /// Names of all settings. A setting in a block has the block's name as prefix, as in `limits.sockets`.
    var settingNames: [String] {
        var (list, lent) = (SettingVisit(), self)
        list.listsNames = true
        lent.visit(&list)
        return list.names
    }

    func check() throws(ServerError) {
        var (check, lent) = (SettingVisit(), self)
        lent.visit(&check)
        guard let (name, mistake) = check.mistake else { return }
        let problem = mistake.problem.hasPrefix("\"") ? mistake.problem : name + mistake.problem
        throw .configuration(problem, fix: mistake.fix)
    }

    var engineOptions: EngineOptions {
        var options = EngineOptions()
        options.shard = shard
        options.facts.maxMessageBytes = limits.messageBytes
        options.maxSessions = limits.sessions
        options.maxJournalEntries = limits.journalEntries
        for dialect in dialects { dialect.configure(&options) }
        return options
    }
}

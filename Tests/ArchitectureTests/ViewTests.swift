import Expectations
import Testing

/// Views are not run on Linux. These checks read their sources: nothing that an app can set is without effect, and both kits
/// show the whole state of the screen model.
@Suite("Views of ChatViews, and the examples")
struct ViewTests {
    private let repository = Repository.current
    private static let folder = "Client/ChatViews"

    /// Sources of the views, without the file that declares.
    private func uses(besides name: String, in folder: String = folder) -> [String] {
        repository.swift(in: folder).filter { $0.name != name }.map(\.text)
    }

    /// Names of the properties that a type of a file declares with `keyword`.
    private func properties(_ name: String, _ keyword: String, of type: String) throws -> [String] {
        let file = try #require(repository.swift(in: Self.folder).first { $0.name == name })
        let lines = file.text.split(separator: "\n").map(String.init)
        let begin = try #require(lines.firstIndex { $0.contains("struct \(type)") })
        let body = lines[(begin + 1)...].prefix { $0 != "    }" }
        return body.compactMap { line in
            guard let place = line.firstRange(of: keyword), line.hasPrefix("        \(keyword)") else {
                return nil
            }
            return String(line[place.upperBound...].prefix { $0.isLetter })
        }
    }

    @Test("Each value of the theme is used by a view")
    func theme() throws {
        let values = try properties("ChatTheme.swift", "public var ", of: "ChatTheme")
        expectEqual(values.count, 10)
        let own = try #require(repository.file(Self.folder + "/ChatTheme.swift")).text
        for value in values {
            // The three colours of bubbles are chosen by the speaker.
            let isChosen = own.contains(": \(value)\n")
            let isUsed = uses(besides: "ChatTheme.swift").contains { $0.contains("theme.\(value)") }
            #expect(isChosen || isUsed, "\(value)")
        }
        for kit in ["SwiftUI", "UIKit"] {
            let isUsed = uses(besides: "", in: Self.folder + "/" + kit).contains {
                $0.contains("theme.bubble(of: message.speaker)")
            }
            #expect(isUsed, "\(kit)")
        }
    }

    @Test("Each part that an app can replace has a modifier and is shown")
    func slots() throws {
        let parts = try properties("ChatView+Slots.swift", "var ", of: "ChatSlots")
        expectEqual(parts.count, 14)
        let screen = try #require(repository.file(Self.folder + "/SwiftUI/ChatView.swift")).text
        let modifiers = try #require(repository.file(Self.folder + "/SwiftUI/ChatView+Slots.swift")).text
        for part in parts {
            #expect(screen.contains("slots.\(part)"), "\(part) is not shown")
            #expect(modifiers.contains("$0.\(part)"), "\(part) cannot be set")
        }
    }

    @Test("Both kits show the cover, the banners, the end, the typing, the suggestions and the jump button")
    func screens() throws {
        for name in ["SwiftUI/ChatView.swift", "UIKit/ChatViewController.swift"] {
            let text = try #require(repository.file("\(Self.folder)/\(name)")).text
            for part in [
                "state.cover", "state.banners", "state.canEnd", "chat.typing", "chat.suggestions",
                "chat.ending",
                "JumpButton(", "follow.target", "model.recover()", "model.startNew()", "model.end()",
                "model.announce = ", "MessageMenu(", ".swipe", "hasTimeDivider", "model.reachedBeginning()",
            ] {
                let isThere =
                    text.contains(part)
                    || part == ".swipe"
                        && uses(besides: "", in: Self.folder + "/SwiftUI").contains {
                            $0.contains("menu?.swipe")
                        }
                #expect(isThere, "\(name) lacks \(part)")
            }
        }
    }

    @Test("Dots rest when the system asks for less motion")
    func motion() {
        let moving = repository.swift(in: Self.folder).filter {
            $0.text.contains("repeatForever") || $0.text.contains("UIView.animate")
        }
        expectEqual(moving.count, 2)
        for file in moving {
            #expect(
                file.text.contains("accessibilityReduceMotion")
                    || file.text.contains("isReduceMotionEnabled"),
                "\(file.path)")
        }
    }

    @Test("Each view and each example says that it has not run")
    func headers() {
        let files = repository.swift(in: Self.folder, "Client/Examples")
        #expect(files.count > 30)
        for file in files {
            #expect(file.text.hasPrefix("// This file was type-checked only"), "\(file.path)")
        }
    }

    @Test("The project of the examples has a target for each app, and each level a page")
    func project() throws {
        let project = try #require(repository.file("Client/Examples/project.yml")).text
        let list = try #require(repository.file("Client/Examples/README.md")).text
        let apps = Set(
            repository.swift(in: "Client/Examples").map { $0.path.split(separator: "/").dropLast() }
                .filter { $0.count == 4 }.map { "\($0[2])/\($0[3])" })
        expectEqual(apps.count, 14)
        for app in apps {
            #expect(project.contains("sources: [\(app), Shared]"), "\(app)")
            let level = String(app.prefix { $0 != "/" })
            #expect(list.contains("](\(level))"), "\(level)")
            let page = try #require(repository.file("Client/Examples/\(level)/README.md")).bytes
            #expect(page.lineCount <= 25, "\(level)")
        }
        expectEqual(project.split(separator: "\n").filter { $0.contains("sources: [") }.count, apps.count)
        for product in ["PolyMessaging", "ChatPresentation", "ChatViews"] {
            #expect(project.contains("product: \(product) }"))
        }
    }
}

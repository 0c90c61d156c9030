import ConversationEngine
import Fixtures
import SocketTransport
import Texts

extension FixtureStore {
    struct Copy: Sendable {
        enum Source: String, Sendable {
            case file
            case binary
            case text
        }

        let source: Source
        let file: String?
        let bytes: [UInt8]
        /// A hash of the bytes; nil if the file is missing.
        let version: String?
    }

    func copy(of name: String) -> Copy? {
        if let known = shelved[name], let file = known.file, texts[name] == nil,
            Files.entry(file) == .nothing
        {
            return Copy(source: .file, file: file, bytes: known.bytes, version: nil)
        }
        guard names.contains(name), let (bytes, file) = source(of: name) else { return nil }
        let isText = texts[name] != nil || defaultText != nil && name == defaultName
        return Copy(
            source: file != nil ? .file : isText ? .text : .binary, file: file, bytes: bytes,
            version: SHA256.hex(of: bytes))
    }

    // MARK: - Saving

    struct Unsavable: Error {
        let sentence: String
    }

    /// Returns where the fixture `name` is saved: the file that the server was started with, or the fixtures folder.
    func savingPlace(of name: String) throws(Unsavable) -> String {
        let place: String
        if name == defaultName, defaultText == nil, let defaultFile {
            place = defaultFile
        } else if let folder {
            place = folder + "/" + name + ".json5"
        } else {
            throw Unsavable(
                sentence:
                    "This server has no folder of fixtures to save in; start it with --fixtures DIR, or "
                    + "use POST \(ControlRoute.prefix)fixtures.")
        }
        if name == defaultName, defaultText != nil {
            throw Unsavable(
                sentence: "\"\(name)\" is played from a text, not from \(place); start the server with "
                    + "--fixtures and the name alone.")
        }
        let entry = Files.entry(place)
        guard entry != .other else {
            throw Unsavable(
                sentence: "\(place) is a link, or no file; save the file that it leads to where it is.")
        }
        let parent = place.lastIndex(of: "/").map { String(place[..<$0]) } ?? "."
        guard Files.mayWrite(parent.isEmpty ? "/" : parent), entry == .nothing || Files.mayWrite(place) else {
            throw Unsavable(sentence: "\(place) must not be written by this server; look at its rights.")
        }
        return place
    }

    func isSavable(_ name: String) -> Bool { (try? savingPlace(of: name)) != nil }

    /// Adopts a saved fixture, or records it as refused.
    mutating func adopt(_ compiled: CompiledFixture, _ bytes: [UInt8]) -> News {
        let (name, file) = (compiled.name, compiled.fileName)
        let errors = Self.errors(of: compiled)
        guard let script = compiled.script else {
            reported[name] = bytes
            return .refused(name: name, findings: errors, hasGoodVersion: isGood(name))
        }
        // The saved file replaces a fixture of this name that was given as text.
        texts[name] = nil
        shelved[name] = Shelved(script: SharedValue(script), bytes: bytes, file: file)
        reported[name] = nil
        return .reloaded(name: name, file: file, failures: errors)
    }
}

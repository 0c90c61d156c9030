import Expectations
import FuzzTargets
import SocketTransport
import TestSupport
import Testing

@Suite("Parsers against any input")
struct CorpusTests {
    private static let folder =
        #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 } + "/Data/fuzz"

    private static func corpus(of target: String) -> [(name: String, input: [UInt8])] {
        let path = folder + "/" + target
        return Files.list(path).compactMap { name in
            Files.read(path + "/" + name, atMost: 1_048_576).map { (name, $0) }
        }
    }

    @Test("Every input of the corpus keeps the rules of its parser", arguments: FuzzTarget.all.map(\.name))
    func corpus(_ name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let corpus = CorpusTests.corpus(of: name)
        #expect(!corpus.isEmpty)
        for (file, input) in corpus {
            #expect(throws: Never.self, "\(name)/\(file)") { try target.entry(input) }
        }
    }

    /// Few, because this runs with every change; `swift run -c release Fuzzing` feeds millions.
    @Test("Inputs made from the corpus keep the rules too", arguments: FuzzTarget.all.map(\.name))
    func mutations(_ name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        var session = FuzzSession(target, corpus: CorpusTests.corpus(of: name).map(\.input), seed: 20_260_115)
        for run in 0..<Strength.of(10, full: 30) * target.share {
            let input = session.next()
            do throws(BrokenRule) {
                session.learn(try target.entry(input), from: input)
            } catch {
                Issue.record("\(name), input \(run) \(input): \(error.sentence)")
                return
            }
        }
    }

    @Test("Every folder of the corpus belongs to a parser")
    func folders() {
        let folders = Files.list(CorpusTests.folder).filter { Files.isFolder(CorpusTests.folder + "/" + $0) }
        expectEqual(Set(folders), Set(FuzzTarget.all.map(\.name)))
    }
}

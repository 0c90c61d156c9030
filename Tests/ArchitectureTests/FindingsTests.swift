import Expectations
import Testing

/// `Tests/Data/findings` says what answers each point of the reports on this code.
@Suite("The list of findings")
struct FindingsTests {
    /// One line of a list: a point, and where its answer stands.
    struct Answer {
        var point: String
        var kind: String
        var path: String
        var words: String
        var note: String

        /// - Returns: nil when the line has not four cells, or its third is not a path and words.
        init?(_ line: Substring) {
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard cells.count == 4 else { return nil }
            let place = cells[2].split(separator: "#", maxSplits: 1).map(String.init)
            guard place.count == 2 else { return nil }
            (point, kind, path, words, note) = (cells[0], cells[1], place[0], place[1], cells[3])
        }
    }

    private let repository = Repository.current
    private let points: [String]
    private let lines: [(file: String, line: Substring)]

    init() throws {
        let folder = "Tests/Data/findings"
        points = try #require(repository.file("\(folder)/points.txt")).text
            .split(separator: "\n").compactMap { $0.split(separator: "\t").first.map(String.init) }
        lines = repository.files.filter { $0.isIn(folder) && $0.kind == "tsv" }.flatMap { file in
            file.text.split(separator: "\n").map { (file.name, $0) }
        }
    }

    @Test("Each point has an answer, and each answer a point")
    func complete() {
        #expect(points.count > 100 && Set(points).count == points.count)
        let answered = Set(lines.compactMap { Answer($0.line)?.point })
        expectEqual(Set(points).subtracting(answered).sorted(), [])
        expectEqual(answered.subtracting(points).sorted(), [])
    }

    @Test("Each answer names a test, a page or a reason, and its place has the words")
    func places() {
        for (file, line) in lines {
            guard let answer = Answer(line) else {
                Issue.record("\(file): four cells, the third path#words: \(line)")
                continue
            }
            #expect(["test", "page", "reason"].contains(answer.kind), "\(file): \(answer.kind) in \(line)")
            #expect(
                answer.kind != "reason" || answer.note.count > 20, "\(file): \(answer.point) needs its reason"
            )
            guard let found = repository.file(answer.path) else {
                Issue.record("\(file): there is no \(answer.path)")
                continue
            }
            #expect(found.bytes.contains(answer.words), "\(answer.path) lacks \(answer.words)")
            if answer.kind == "test" {
                #expect(answer.path.hasPrefix("Tests/") || answer.path.hasPrefix(".ci/"), "\(answer.path)")
            } else {
                expectEqual(found.kind, "md", "\(answer.path) is no page")
            }
        }
    }

    @Test("A line is read as four cells")
    func reading() {
        let answer = Answer("a-1\ttest\tTests/A.swift#b#c\tit holds")
        #expect(answer?.path == "Tests/A.swift" && answer?.words == "b#c" && answer?.note == "it holds")
        #expect(Answer("a-1\ttest\tTests/A.swift\tit holds") == nil)
        #expect(Answer("a-1\ttest\tTests/A.swift#b") == nil)
    }
}

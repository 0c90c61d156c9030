import Testing

@testable import Patterns

@Suite("The table of folding")
struct FoldingTableTests {
    @Test("The tables are sorted, as the search in them needs")
    func sorted() {
        #expect(zip(FoldingTable.single, FoldingTable.single.dropFirst()).allSatisfy { $0 < $1 })
        #expect(zip(FoldingTable.several, FoldingTable.several.dropFirst()).allSatisfy { $0 < $1 })
        #expect(FoldingTable.single.count > 800)
    }
}

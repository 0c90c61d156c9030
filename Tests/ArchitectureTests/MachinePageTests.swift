import Testing

@Suite("The page about many machines")
struct MachinePageTests {
    @Test("Its configurations are those that are run", arguments: ["nginx.conf", "haproxy.cfg"] as [String])
    func configurations(_ name: String) throws {
        let page = try #require(Repository.current.file("Shared/Docs/many-machines.md")).text
        let file = try #require(Repository.current.file("Tests/interop/shards/\(name)")).text
        #expect(page.contains("```text\n\(file)```\n"))
    }
}

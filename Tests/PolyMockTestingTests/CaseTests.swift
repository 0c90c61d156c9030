import Foundation
import MockServer
import XCTest

@testable import PolyMockTesting

/// The older form of the trait; its tests run with XCTest.
final class CaseTests: MockTestCase {
    override var fixture: String { "booking" }
    override var seed: UInt64 { 7 }

    override func configure(_ settings: inout ServerSettings) {
        settings.sessions.heartbeatInterval = .seconds(10)
    }

    /// A case has a mock of its own, with the settings of its class.
    func testTalk() async throws {
        XCTAssertEqual(mock.line, "mock:booking@seed=7")
        let chat = try await mock.chat()
        try await chat.say("a table, please")
        try await mock.expect(.reply("For how many"), within: .seconds(5))
        try await mock.expect(.join, exactly: 1)
        mock.clock.advance(by: .minutes(1))
        try await mock.expect(.heartbeat, atLeast: 6, within: .zero)
    }

    #if !canImport(ObjectiveC)
        /// A failed check is shown where it was asked, and so is whatever else a call of the kit throws.
        func testFailure() async throws {
            _ = try await mock.chat()
            do {
                try await mock.expect(
                    .reply("Good morning"), within: .seconds(2), filePath: "Some/ShopCase.swift", line: 41)
                XCTFail("the agent has another greeting")
            } catch {
                let failure = try XCTUnwrap(relocated("threw error \"\(error)\""))
                XCTAssertEqual(failure.site.fileName, "ShopCase.swift")
                XCTAssertEqual(failure.site.line, 41)
                XCTAssertTrue(failure.text.contains("booking.json5:21:"))
                XCTAssertTrue(failure.text.hasPrefix("Expected a reply with \"Good morning\" within 2 s"))
                XCTAssertNil(relocated("threw error \"another one\""))
            }
            do {
                try await mock.inject("tunel", filePath: "Some/ShopCase.swift", line: 42)
                XCTFail("there is no such fault")
            } catch {
                let failure = try XCTUnwrap(relocated("threw error \"\(error)\""))
                XCTAssertEqual(failure.site.line, 42)
                XCTAssertEqual(failure.text, "no fault is called \"tunel\": did you mean \"tunnel\"?")
            }
        }

        /// The file of a journal belongs to one test of one process.
        func testJournalFile() async throws {
            let process = ProcessInfo.processInfo.processIdentifier
            let name = mock.plan.journalName
            XCTAssertEqual(name, "booking-7-CaseTests.testJournalFile-\(process).jsonl")
            let journal = await mock.journal()
            let path = try XCTUnwrap(keep(journal, named: name))
            defer { try? FileManager.default.removeItem(atPath: path) }
            XCTAssertTrue(path.hasSuffix("/" + name))
            XCTAssertTrue(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("{"))
        }
    #endif
}

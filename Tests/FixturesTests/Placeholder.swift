import Fixtures
import Testing
import Foundation
@Test func tmp() throws {
  for n in ["webchat","booking"] {
    let d = try Data(contentsOf: URL(fileURLWithPath: "fixtures/\(n).json5"))
    let c = FixtureLoader.compile(bytes: Array(d), fileName: "\(n).json5", name: n)
    print(c.findings.map(\.description).joined(separator: "\n"), c.script == nil, c.examples.count)
  }
}

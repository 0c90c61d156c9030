import Expectations
import Testing

@testable import FixtureTools

@Suite("Reports for CI systems")
struct JUnitReportTests {
    @Test("A case with lines has failed, and what XML cannot take is replaced")
    func cases() {
        var report = JUnitReport("check")
        report.add("a.json5", failure: [])
        report.add("b&c.json5", failure: ["1 < 2 \"\u{1}\"", "second"])
        report.add("c.json5", ToolAnswer(code: 1))
        report.add("d.json5", ToolAnswer(lines: ["fine"]))
        expectEqual(
            report.xml,
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites>
              <testsuite name="polymock check" tests="4" failures="2" errors="0" skipped="0">
                <testcase classname="polymock.check" name="a.json5"/>
                <testcase classname="polymock.check" name="b&amp;c.json5">
                  <failure message="1 &lt; 2 &quot;\u{FFFD}&quot;">1 &lt; 2 &quot;\u{FFFD}&quot;
            second</failure>
                </testcase>
                <testcase classname="polymock.check" name="c.json5">
                  <failure message="exit code 1">exit code 1</failure>
                </testcase>
                <testcase classname="polymock.check" name="d.json5"/>
              </testsuite>
            </testsuites>

            """)
    }
}

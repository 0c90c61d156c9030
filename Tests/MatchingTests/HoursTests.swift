import Clocks
import Expectations
import Testing

@testable import Matching

@Suite("Hours of a day or week")
struct HoursTests {
    /// The time of a text such as "Friday 22:00", in the first whole week after 1970-01-01, a Thursday.
    private func time(_ text: String) throws -> LocalTime {
        let wall = try #require(WallTime(text))
        let day = try #require(wall.weekday) + 4
        return LocalTime(Instant(secondsSince1970: Int64(day * 86_400 + wall.minute * 60)), shift: 0)
    }

    @Test(
        "Hours over midnight belong to the day on which they begin",
        arguments: [
            (4, "Friday 22:00", true), (4, "Saturday 00:00", true), (4, "Saturday 01:59", true),
            (4, "Friday 21:59", false), (4, "Saturday 02:00", false), (4, "Friday 01:59", false),
            (4, "Saturday 22:00", false), (6, "Sunday 23:59", true), (6, "Monday 01:00", true),
            (6, "Sunday 01:00", false), (0, "Tuesday 01:00", true), (0, "Monday 01:00", false),
        ] as [(Int, String, Bool)])
    func overMidnight(day: Int, text: String, isInside: Bool) throws {
        let hours = Hours(from: 22 * 60, to: 2 * 60, days: [day])
        expectEqual(hours.contains(try time(text)), isInside)
    }

    @Test("Hours of every day are the same on each day")
    func everyDay() throws {
        let (night, day) = (Hours(from: 22 * 60, to: 2 * 60), Hours(from: 9 * 60, to: 17 * 60))
        for name in WallTime.weekdays {
            let times = try ["01:00", "02:00", "09:00", "17:00"].map { try time(name + " " + $0) }
            expectEqual(times.map { night.contains($0) }, [true, false, false, false])
            expectEqual(times.map { day.contains($0) }, [false, false, true, false])
        }
    }
}

import Clocks
import Foundation
import SocketTransport

/// Prints one line at once, also into a file or a pipe: a run takes a while, and may be stopped.
func tell(_ line: String) {
    print(line)
    fflush(nil)
}

/// Median, range and number of runs, as every benchmark here tells them.
func report(_ name: String, _ sorted: [Double], _ unit: String) {
    guard let low = sorted.first, let high = sorted.last else { return }
    let median = sorted[sorted.count / 2]
    tell(
        "\(name): median \(String(format: "%.2f", median)) \(unit) "
            + "(\(String(format: "%.2f", low)) to \(String(format: "%.2f", high)), \(sorted.count) runs)")
}

/// Nanoseconds per operation: the median of `rounds`, each of so many operations, after a tenth to warm up.
@discardableResult
func measure(_ name: String, rounds: Int, _ operations: Int, _ body: () -> Void) -> Double {
    let clock = SystemClock()
    for _ in 0..<operations / 10 { body() }
    var times: [Double] = []
    for _ in 0..<rounds {
        let start = clock.now
        for _ in 0..<operations { body() }
        times.append(Double((clock.now - start).nanoseconds) / Double(operations))
    }
    times.sort()
    tell(
        "\(name): \(String(format: "%.0f", times[rounds / 2])) ns "
            + "(\(String(format: "%.0f", times[0])) to \(String(format: "%.0f", times[rounds - 1])))")
    return times[rounds / 2]
}

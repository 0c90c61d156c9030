import AgentRuns
import Clocks
import RunWire
import SocketTransport

/// Event-stream text of a long run, read, checked, made into public events and folded, as an agent's stream does it.
func agentRunBenchmark() {
    var events = [RunEvent(.runStarted(RunStart(threadID: "t", runID: "r")))]
    for message in 0..<100 {
        let id = "message-\(message)"
        events.append(RunEvent(.textStart(id: id, role: .assistant, name: nil)))
        for _ in 0..<996 { events.append(RunEvent(.textContent(id: id, delta: "some words "))) }
        events.append(RunEvent(.textEnd(id: id)))
        for state in [
            #"{"type":"STATE_SNAPSHOT","snapshot":{"message":\#(message)}}"#,
            #"{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/message","value":0}]}"#,
        ] {
            if let event = try? RunEventReader.read(Array(state.utf8)) { events.append(event) }
        }
    }
    events.append(RunEvent(.runFinished(RunFinish(threadID: "t", runID: "r"))))
    var text: [UInt8] = []
    for event in events { EventStreamWriter.event(event, into: &text) }
    let clock = SystemClock()
    var rates: [Double] = []
    for _ in 0..<5 {
        let start = clock.now
        var stream = EventStreamReader(limitBytes: 1 << 20)
        var verifier = RunVerifier(profile: .v1)
        var reducer = AgentRunReducer(messages: [], state: .object([:]))
        var count = 0
        var from = 0
        while from < text.count {
            // What one read of a socket brings.
            let end = min(text.count, from + 16_384)
            for case .data(let data) in stream.receive(Array(text[from..<end])) {
                guard let event = try? RunEventReader.read(data), let long = try? verifier.consume(event)
                else {
                    continue
                }
                for event in long {
                    _ = reducer.apply(
                        AgentRunEvent(
                            threadID: "t", runID: "r", index: count, receivedAt: start, event))
                    count += 1
                }
            }
            from = end
        }
        precondition(count == events.count && reducer.snapshot.messages.count == 100)
        rates.append(Double(count) / (Double((clock.now - start).nanoseconds) / 1e9) / 1e3)
    }
    report("events of a run decoded, checked and folded", rates.sorted(), "thousand a second")
}

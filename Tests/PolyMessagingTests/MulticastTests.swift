import Expectations
import PolyMessaging
import Testing

@Suite("Streams with many subscribers")
struct MulticastTests {
    private func collect(_ stream: AsyncStream<Int>) async -> [Int] {
        var elements: [Int] = []
        for await element in stream { elements.append(element) }
        return elements
    }

    @Test("MUL-26 One subscriber gets what is sent, in order")
    func oneSubscriber() async {
        let events = Multicast<Int>()
        let stream = events.subscribe()
        for number in 0..<100 { events.send(number) }
        events.finish()
        await expectEqual(collect(stream), Array(0..<100))
    }

    @Test("MUL-27 Two subscribers both get it")
    func twoSubscribers() async {
        let events = Multicast<Int>()
        let streams = [events.subscribe(), events.subscribe()]
        events.send(7)
        events.finish()
        for stream in streams { await expectEqual(collect(stream), [7]) }
    }

    @Test("MUL-28 Finishing ends every loop, and what is sent afterwards is not delivered")
    func finish() async {
        let events = Multicast<Int>()
        let stream = events.subscribe()
        events.send(1)
        events.finish()
        events.send(2)
        events.finish()
        await expectEqual(collect(stream), [1])
        await expectEqual(collect(events.subscribe()), [])
    }

    @Test("MUL-29 A subscriber that was cancelled is out, and sending goes on")
    func cancellation() async {
        let events = Multicast<Int>()
        let other = events.subscribe()
        let stream = events.subscribe()
        let reader = Task { await self.collect(stream) }
        reader.cancel()
        await expectEqual(reader.value, [])
        events.send(1)
        events.finish()
        await expectEqual(collect(other), [1])
    }

    @Test("MUL-30 A late subscriber to a state gets the latest value alone")
    func replay() async {
        let state = Multicast(replaying: 0)
        let early = state.subscribe()
        state.send(1)
        state.send(2)
        let late = state.subscribe()
        state.send(3)
        state.finish()
        await expectEqual(collect(early), [0, 1, 2, 3])
        await expectEqual(collect(late), [2, 3])
        expectEqual(state.latest, 3)
    }

    @Test("MUL-31 A late subscriber to events gets nothing old, but what comes next")
    func noReplay() async {
        let events = Multicast<Int>()
        events.send(1)
        let late = events.subscribe()
        events.send(2)
        events.finish()
        await expectEqual(collect(late), [2])
        expectEqual(events.latest, nil)
    }

    @Test("MUL-32 Every late subscriber to a state gets the latest value")
    func manyLate() async {
        let state = Multicast(replaying: 0)
        state.send(5)
        for _ in 0..<3 {
            var iterator = state.subscribe().makeAsyncIterator()
            await expectEqual(iterator.next(), 5)
        }
    }

    @Test("A subscriber to a state that is finished gets the last value and the end")
    func afterFinish() async {
        let state = Multicast(replaying: 0)
        state.send(9)
        state.finish()
        await expectEqual(collect(state.subscribe()), [9])
    }

    @Test("MUL-33 A subscription is live when the call that makes it returns")
    func liveAtOnce() async {
        let events = Multicast<Int>()
        for number in 0..<200 {
            var iterator = events.subscribe().makeAsyncIterator()
            events.send(number)
            await expectEqual(iterator.next(), number)
        }
    }

    @Test("Elements sent from many threads reach all subscribers in one order")
    func oneOrder() async {
        let events = Multicast<Int>()
        let streams = [events.subscribe(), events.subscribe()]
        await withTaskGroup(of: Void.self) { group in
            for sender in 0..<4 {
                group.addTask { for number in 0..<250 { events.send(sender * 1_000 + number) } }
            }
        }
        events.finish()
        let first = await collect(streams[0])
        expectEqual(first.count, 1_000)
        await expectEqual(collect(streams[1]), first)
        for sender in 0..<4 {
            let own = first.filter { $0 / 1_000 == sender }
            expectEqual(own, own.sorted())
        }
    }
}

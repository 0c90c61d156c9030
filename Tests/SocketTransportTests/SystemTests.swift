import Clocks
import Expectations
import SocketTransport
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("System clock, signals, names and the process", .timeLimit(.minutes(5)))
struct SystemTests {
    @Test("Time never goes backwards and begins after 2025")
    func monotonic() {
        let clock = SystemClock()
        var last = clock.now
        #expect(last.secondsSince1970 > 1_735_689_600)
        for _ in 0..<10_000 {
            let now = clock.now
            #expect(now >= last)
            last = now
        }
    }

    @Test("A timer fires again after it was armed again, never before its deadline")
    func rearming() async throws {
        let clock = SystemClock()
        let (fires, sink) = AsyncStream.makeStream(of: Instant.self)
        let timer = clock.makeTimer { sink.yield(clock.now) }
        var iterator = fires.makeAsyncIterator()
        for _ in 0..<3 {
            timer.arm(at: clock.now + .hours(1))
            let deadline = clock.now + .milliseconds(2)
            timer.arm(at: deadline)
            #expect(try #require(await iterator.next()) >= deadline)
        }
        timer.arm(at: clock.now - .seconds(5))
        #expect(await iterator.next() != nil)
    }

    @Test("A disarmed or released timer is silent; the far future does not overflow")
    func disarming() async {
        let queue = LoopQueue(label: "test")
        let clock = SystemClock(timersOn: queue)
        let silent = Flag(false)
        let disarmed = clock.makeTimer { silent.value = true }
        // On the timer's own queue: nothing fires between the two calls, however late this thread is.
        await withCheckedContinuation { done in
            queue.async {
                disarmed.arm(at: clock.now + .milliseconds(1))
                disarmed.disarm()
                done.resume()
            }
        }
        let far = clock.makeTimer { silent.value = true }
        far.arm(at: .distantFuture)
        do {
            let released = clock.makeTimer { silent.value = true }
            released.arm(at: clock.now + .hours(1))
        }
        let (fires, sink) = AsyncStream.makeStream(of: Void.self)
        let later = clock.makeTimer { sink.yield() }
        later.arm(at: clock.now + .milliseconds(5))
        var iterator = fires.makeAsyncIterator()
        await iterator.next()
        #expect(!silent.value)
    }

    @Test("A signal becomes a call, each time it arrives")
    func signals() async {
        let (signals, sink) = AsyncStream.makeStream(of: SignalWatcher.Signal?.self)
        let watcher = SignalWatcher(
            [.windowChange], onReady: { sink.yield(nil) }, handler: { sink.yield($0) })
        var iterator = signals.makeAsyncIterator()
        await expectEqual(iterator.next(), .some(nil))
        for _ in 0..<2 {
            SignalWatcher.raise(.windowChange)
            await expectEqual(iterator.next(), .windowChange)
        }
        watcher.cancel()
    }

    @Test(
        "localhost is loopback on both families (RFC 6761 §6.3)",
        arguments: ["localhost", "LocalHost", "a.localhost"] as [String])
    func localhost(name: String) async throws {
        let addresses = try await Resolver.resolve(host: name, port: 80)
        expectEqual(addresses, [.loopbackIPv4(port: 80), .loopbackIPv6(port: 80)])
    }

    @Test("An address in figures resolves to itself")
    func figures() async throws {
        try await expectEqual(Resolver.resolve(host: "::1", port: 5), [.loopbackIPv6(port: 5)])
    }

    @Test("A name that cannot exist is an error that names it (RFC 1035 §2.3.4)")
    func unknownName() async {
        let name = String(repeating: "a", count: 300)
        let error = await #expect(throws: SocketError.self) {
            try await Resolver.resolve(host: name, port: 5)
        }
        expectEqual(error?.description.contains(name), true)
    }

    @Test("A pipe that nobody writes to is unreadable at once, and so is a folder")
    func noRegularFile() throws {
        var template = Array("/tmp/polymock-files-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        defer { rmdir(folder) }
        let pipe = folder + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        defer { unlink(pipe) }
        expectEqual(Files.read(pipe, atMost: 10), nil)
        expectEqual(Files.read(folder, atMost: 10), nil)
    }

    @Test("Output to a stream that does not block waits for its reader and loses nothing")
    func nonBlockingOutput() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        defer { close(reader) }
        try #require(fcntl(writer, F_SETFL, fcntl(writer, F_GETFL) | O_NONBLOCK) == 0)
        // More than a pipe holds.
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        async let fault = withCheckedContinuation { continuation in
            LoopQueue(label: "test.output").async {
                let fault = Files.write(bytes, descriptor: writer)
                close(writer)
                continuation.resume(returning: fault)
            }
        }
        var got: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(reader, &buffer, buffer.count)
            guard count > 0 else { break }
            got += buffer[..<count]
        }
        await expectEqual(fault, nil)
        expectEqual(got, bytes)
    }

    @Test("The first browser that is there is told each address, whatever characters it has")
    func browser() throws {
        var template = Array("/tmp/polymock-browser-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        defer { rmdir(folder) }
        let (pipe, program) = (folder + "/pipe", folder + "/it's a browser")
        try #require(mkfifo(pipe, 0o600) == 0)
        defer { unlink(pipe) }
        let script = "#!/bin/sh\nprintf '%s\\n' \"$*\" >'\(pipe)'\n"
        try #require(PrivateFile.write(Array(script.utf8), to: program) == nil)
        defer { unlink(program) }
        try #require(chmod(program, 0o700) == 0)
        let descriptor = open(pipe, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        let addresses = ["http://127.0.0.1:1/chat", "http://h/'$(x) y"]
        #expect(!Browser.show(addresses, programs: [folder + "/none"]))
        #if os(Linux)
            // Without a display the system's openers would fail in silence.
            expectEqual(Browser.programs { _ in nil }, [])
            expectEqual(Browser.programs { ["BROWSER": "a:b", "DISPLAY": ""][$0] }, ["a", "b"])
            expectEqual(
                Browser.programs { ["WAYLAND_DISPLAY": "wayland-0"][$0] }, ["xdg-open", "sensible-browser"])
        #endif
        #expect(Browser.show(addresses, programs: [folder + "/none", program]))
        let wanted = addresses.map { $0 + "\n" }.joined()
        var told: [UInt8] = []
        while told.count < wanted.utf8.count {
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = read(descriptor, &bytes, bytes.count)
            try #require(count > 0)
            told += bytes[..<count]
        }
        expectEqual(String(decoding: told, as: UTF8.self), wanted)
    }

    @Test("The process knows its memory and its descriptors")
    func processInfo() throws {
        #expect(try #require(ProcessInfoLite.residentBytes) > 1 << 20)
        #expect(try #require(ProcessInfoLite.openDescriptors) >= 3)
    }
}

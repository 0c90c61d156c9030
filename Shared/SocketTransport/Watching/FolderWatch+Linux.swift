#if os(Linux)
    import Clocks
    import Dispatch

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Linux part of ``FileWatcher``: one inotify descriptor, watched by one Dispatch source.
    final class FolderWatch: Sendable {
        /// State for the source's queue. `cancel` uses `source` and `completions` on other threads too.
        private struct State {
            var source: (any DispatchSourceRead)?
            var namesByWatch: [Int32: WatchPlan.Names] = [:]
            var completions: [@Sendable () -> Void]? = []
        }

        private let descriptor: Int32
        private let path: String
        private let state: Locked<State>

        /// Watched events (inotify(7)). Opening and reading are left out, because the user reads the file itself.
        private static let mask =
            UInt32(IN_MODIFY) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_ATTRIB) | UInt32(IN_CREATE)
            | UInt32(IN_DELETE)
            | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)

        init(
            path: String, queue: LoopQueue, onChange: @escaping @Sendable () -> Void
        ) throws(SystemFailure) {
            descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { throw .last }
            self.path = path
            let plan = WatchPlan(path: path)
            state = Locked(State())
            let names = Self.install(plan, on: descriptor, replacing: [:])
            guard !names.isEmpty else {
                let failure = SystemFailure.last
                SystemCalls.closeDescriptor(descriptor)
                throw failure
            }
            state.withLock { [descriptor] value in
                value.namesByWatch = names
                let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue.queue)
                source.setEventHandler { [weak self] in self?.readEvents(onChange) }
                value.source = source
                source.resume()
            }
        }

        func cancel(_ completion: @escaping @Sendable () -> Void) {
            let isOver = state.withLock { [state, descriptor] value -> Bool in
                value.completions?.append(completion)
                guard let source = value.source else { return value.completions == nil }
                value.source = nil
                source.setCancelHandler {
                    SystemCalls.closeDescriptor(descriptor)
                    let completions = state.withLock { value in
                        defer { value.completions = nil }
                        return value.completions ?? []
                    }
                    for completion in completions { completion() }
                }
                source.cancel()
                return false
            }
            if isOver { completion() }
        }

        private func readEvents(_ onChange: @Sendable () -> Void) {
            let names = state.withLock { $0.namesByWatch }
            guard hasRelevantEvent(names) else { return }
            rebuild()
            onChange()
        }

        private func hasRelevantEvent(_ names: [Int32: WatchPlan.Names]) -> Bool {
            var isRelevant = false
            withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 8) { buffer in
                while true {
                    let count = read(descriptor, buffer.baseAddress, buffer.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { return }
                    let batch = UnsafeRawBufferPointer(rebasing: buffer[0..<count])
                    if Self.hasRelevantEvent(batch, names) { isRelevant = true }
                }
            }
            return isRelevant
        }

        private static func hasRelevantEvent(
            _ batch: UnsafeRawBufferPointer, _ names: [Int32: WatchPlan.Names]
        ) -> Bool {
            var position = 0
            let headBytes = MemoryLayout<inotify_event>.size
            while position + headBytes <= batch.count {
                let head = batch.loadUnaligned(fromByteOffset: position, as: inotify_event.self)
                let nameStart = position + headBytes
                position = nameStart + Int(head.len)
                guard position <= batch.count else { return true }
                // Events were lost, so a change is assumed.
                if head.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
                // The kernel sends IN_IGNORED for each watch that was removed.
                if head.mask & UInt32(IN_IGNORED) != 0 { continue }
                guard let wanted = names[head.wd] else { continue }
                if head.len == 0 { return true }  // the folder itself
                let name = batch[nameStart..<position].prefix { $0 != 0 }
                if wanted.contains(String(decoding: name, as: UTF8.self)) { return true }
            }
            return false
        }

        private func rebuild() {
            let plan = WatchPlan(path: path)
            let previous = state.withLock { $0.namesByWatch }
            // Watches are installed again even if the plan is unchanged: a different folder may now have a watched
            // path.
            let names = Self.install(plan, on: descriptor, replacing: previous)
            state.withLock { $0.namesByWatch = names }
        }

        private static func install(
            _ plan: WatchPlan, on descriptor: Int32, replacing previous: [Int32: WatchPlan.Names]
        ) -> [Int32: WatchPlan.Names] {
            var result: [Int32: WatchPlan.Names] = [:]
            for (folder, names) in plan.folders {
                let watch = inotify_add_watch(descriptor, folder, mask)
                guard watch >= 0 else { continue }
                // Two paths of one folder get the same watch number.
                result[watch] = result[watch].map { $0.merged(with: names) } ?? names
            }
            for watch in previous.keys where result[watch] == nil {
                _ = inotify_rm_watch(descriptor, watch)
            }
            return result
        }
    }
#endif

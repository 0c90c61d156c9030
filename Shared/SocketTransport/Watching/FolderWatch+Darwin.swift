#if canImport(Darwin)
    import Clocks
    import Darwin
    import Dispatch

    /// Darwin part of ``FileWatcher``. Files need sources too: a folder's source does not report writes to its files.
    final class FolderWatch: Sendable {
        private struct State {
            var sources: [any DispatchSourceFileSystemObject] = []
            var openDescriptors = 0
            var isCancelled = false
            var completions: [@Sendable () -> Void] = []
        }

        private let path: String
        private let queue: LoopQueue
        private let onChange: @Sendable () -> Void
        private let state = Locked(State())

        init(
            path: String, queue: LoopQueue, onChange: @escaping @Sendable () -> Void
        ) throws(SystemFailure) {
            self.path = path
            self.queue = queue
            self.onChange = onChange
            rebuild()
            guard state.withLock({ $0.openDescriptors }) > 0 else { throw .last }
        }

        func cancel(_ completion: @escaping @Sendable () -> Void) {
            let isOver = state.withLock { value -> Bool in
                value.isCancelled = true
                for source in value.sources { source.cancel() }
                value.sources = []
                guard value.openDescriptors > 0 else { return true }
                value.completions.append(completion)
                return false
            }
            if isOver { completion() }
        }

        private func rebuild() {
            let plan = WatchPlan(path: path)
            var paths: [String] = []
            for (folder, names) in plan.folders {
                paths.append(folder)
                for name in Files.list(folder, atMost: .max).prefix(1_024) where names.contains(name) {
                    paths.append(folder + "/" + name)
                }
            }
            state.withLock { [weak self, state, queue] value in
                guard !value.isCancelled else { return }
                let previous = value.sources
                value.sources = []
                for path in paths {
                    let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
                    guard descriptor >= 0 else { continue }
                    let source = DispatchSource.makeFileSystemObjectSource(
                        fileDescriptor: descriptor,
                        eventMask: [.write, .extend, .attrib, .delete, .rename, .link, .revoke],
                        queue: queue.queue)
                    source.setEventHandler { self?.changed() }
                    source.setCancelHandler { Self.released(descriptor, state) }
                    value.openDescriptors += 1
                    value.sources.append(source)
                    source.resume()
                }
                for source in previous { source.cancel() }
            }
        }

        private func changed() {
            rebuild()
            onChange()
        }

        private static func released(_ descriptor: Int32, _ state: Locked<State>) {
            SystemCalls.closeDescriptor(descriptor)
            let completions = state.withLock { value -> [@Sendable () -> Void] in
                value.openDescriptors -= 1
                guard value.openDescriptors == 0, value.isCancelled else { return [] }
                defer { value.completions = [] }
                return value.completions
            }
            for completion in completions { completion() }
        }
    }
#endif

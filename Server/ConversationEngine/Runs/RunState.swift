/// Log and machine of a session's runs, on the heap, because few sessions have them. ``Conversation`` copies them before a
/// change while another copy of the session has them (decision record 0024). As fields of a class they are read in place:
/// as an array's element they were copied 90 times in a run, for 115,000 of its 613,000 instructions.
final class RunState: @unchecked Sendable {
    @exclusivity(unchecked) var log: RunLog
    @exclusivity(unchecked) var machine: RunMachine

    init(_ log: RunLog, _ machine: RunMachine) {
        self.log = log
        self.machine = machine
    }

    /// Bytes of the log's events and requests. Field by field: the log's copy took 800 instructions per event.
    var heldBytes: Int {
        log.waiting.isEmpty ? log.eventBytes + log.requestBytes : log.heldBytes
    }
}

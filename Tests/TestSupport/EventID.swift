extension String {
    /// Writes the text as an event's id, as servers do. Returns its length.
    package func writeID(to room: UnsafeMutableRawBufferPointer) -> Int {
        room.copyBytes(from: utf8)
        return utf8.count
    }
}

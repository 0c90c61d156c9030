import WebSocketCore

#if DEFLATE
    import CZlib

    /// Raw DEFLATE decompressor (RFC 1951). Messages are inflated one after another (RFC 7692 §7.2.2), each in any
    /// number of steps.
    final class Inflater {
        /// Compressors omit these bytes at the end of a message (RFC 7692 §7.2.1).
        private static let tail: [UInt8] = [0, 0, 0xFF, 0xFF]

        /// Bytes of memory for one inflater (zconf.h, "Memory requirements").
        static func bytes(windowBits: Int) -> Int { 1 << max(windowBits, 9) + 7 << 10 }

        /// zlib stores the stream's address, so the stream must not move.
        private let stream: UnsafeMutablePointer<z_stream>
        /// Whether the input read so far ends at the end of a block.
        private var endsWithBlock = false

        /// `windowBits` is 8 to 15. Nil when memory is exhausted.
        init?(windowBits: Int) {
            stream = .allocate(capacity: 1)
            stream.initialize(to: z_stream())
            // With a negotiated window of 8 bits, zlib compresses with 9 bits, so the inflater needs at least 9.
            let status = inflateInit2_(
                stream, -Int32(max(windowBits, 9)), ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
            guard status == Z_OK else { return nil }
        }

        deinit {
            inflateEnd(stream)
            stream.deallocate()
        }

        /// Discards the window of earlier messages.
        func reset() {
            inflateReset(stream)
        }

        /// Inflates until the message is complete or `allowance` is used up.
        ///
        /// - Returns: true when the message is complete.
        func inflate(
            _ message: inout CompressedMessage, allowance: inout Int,
            by piece: UnsafeMutableRawBufferPointer
        ) throws(FrameError) -> Bool {
            if !message.place.isAtTail {
                guard try feed(message.packed, &message, &allowance, piece) else { return false }
                message.place.isAtTail = true
                message.place.read = 0
            }
            guard try feed(Self.tail, &message, &allowance, piece) else { return false }
            guard endsWithBlock else { throw .compressedData }
            return true
        }

        /// Returns true when all input has been read and its output stored.
        private func feed(
            _ input: [UInt8], _ message: inout CompressedMessage, _ allowance: inout Int,
            _ piece: UnsafeMutableRawBufferPointer
        ) throws(FrameError) -> Bool {
            let result = input.withUnsafeBytes { bytes in
                Result { () throws(FrameError) in try feed(bytes, &message, &allowance, piece) }
            }
            return try result.get()
        }

        private func feed(
            _ input: UnsafeRawBufferPointer, _ message: inout CompressedMessage, _ allowance: inout Int,
            _ piece: UnsafeMutableRawBufferPointer
        ) throws(FrameError) -> Bool {
            while allowance > 0 {
                let left = input.count - message.place.read
                let lent = min(left, max(1, allowance / DeflateLimits.readCost))
                // One byte more than the limit. If zlib writes that byte, the message is too long.
                let room = min(min(piece.count, allowance) - 1, message.room) + 1
                let next = UnsafeRawBufferPointer(rebasing: input[message.place.read...])
                // zlib does not write to its input, although the parameter is not const.
                stream.pointee.next_in = UnsafeMutablePointer(
                    mutating: next.bindMemory(to: UInt8.self).baseAddress)
                stream.pointee.avail_in = UInt32(lent)
                stream.pointee.next_out = piece.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.avail_out = UInt32(room)
                let status = CZlib.inflate(stream, Z_SYNC_FLUSH)
                let read = lent - Int(stream.pointee.avail_in)
                let made = room - Int(stream.pointee.avail_out)
                message.place.read += read
                allowance = max(0, allowance - made - DeflateLimits.readCost * read)
                guard made <= message.room else { throw .messageTooBig(limit: message.limit) }
                message.append(UnsafeRawBufferPointer(rebasing: piece[..<made]))
                let isRead = read == left
                switch status {
                case Z_OK:
                    endsWithBlock = isBetweenBlocks
                    if isRead, made < room { return true }
                case Z_BUF_ERROR where isRead:
                    // zlib reports the end of a block only once, so the flag stays true.
                    endsWithBlock = endsWithBlock || isBetweenBlocks
                    return true
                case Z_STREAM_END:
                    // A final block ends only its message. `inflateReset` would discard the window (RFC 7692 §7.2.3.4).
                    inflateResetKeep(stream)
                    endsWithBlock = true
                    if isRead { return true }
                default: throw .compressedData
                }
            }
            return false
        }

        /// Whether the last bit read ends a block and no bit is left (`data_type` of `inflate` in zlib.h).
        private var isBetweenBlocks: Bool {
            stream.pointee.data_type & 128 != 0 && stream.pointee.data_type & 63 == 0
        }
    }
#else
    final class Inflater {
        static func bytes(windowBits: Int) -> Int { 0 }

        init?(windowBits: Int) { nil }

        func reset() {}

        func inflate(
            _ message: inout CompressedMessage, allowance: inout Int,
            by piece: UnsafeMutableRawBufferPointer
        ) throws(FrameError) -> Bool { throw .compressedData }
    }
#endif

import WebSocketCore

#if DEFLATE
    import CZlib

    /// Reads a raw DEFLATE stream (RFC 1951) message by message (RFC 7692 §7.2.2).
    final class Inflater {
        /// What every compressor leaves out at the end of a message.
        private static let tail: [UInt8] = [0, 0, 0xFF, 0xFF]

        /// zlib keeps the stream's address, so it must not move.
        private let stream: UnsafeMutablePointer<z_stream>

        /// `windowBits` is 8 to 15. Nil when there is no memory left.
        init?(windowBits: Int) {
            stream = .allocate(capacity: 1)
            stream.initialize(to: z_stream())
            // Peers with a zlib of their own write for 9 bits when 8 are agreed on.
            let status = inflateInit2_(
                stream, -Int32(max(windowBits, 9)), ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
            guard status == Z_OK else { return nil }
        }

        deinit {
            inflateEnd(stream)
            stream.deallocate()
        }

        /// Forgets earlier messages.
        func reset() {
            inflateReset(stream)
        }

        /// The message that `packed` stands for. Never makes more than one byte beyond `limit`.
        func inflate(
            _ packed: [UInt8], limit: Int, by piece: UnsafeMutableRawBufferPointer
        ) throws(FrameError) -> [UInt8] {
            var message: [UInt8] = []
            try take(packed, &message, limit, piece)
            guard try take(Self.tail, &message, limit, piece) else { throw .compressedData }
            return message
        }

        /// Returns true when `input` ends with a block.
        @discardableResult
        private func take(
            _ input: [UInt8], _ message: inout [UInt8], _ limit: Int, _ piece: UnsafeMutableRawBufferPointer
        ) throws(FrameError) -> Bool {
            let result = input.withUnsafeBytes { bytes in
                Result { () throws(FrameError) in try take(bytes, &message, limit, piece) }
            }
            return try result.get()
        }

        private func take(
            _ input: UnsafeRawBufferPointer, _ message: inout [UInt8], _ limit: Int,
            _ piece: UnsafeMutableRawBufferPointer
        ) throws(FrameError) -> Bool {
            // zlib does not write to its input, but does not say so.
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: input.bindMemory(to: UInt8.self).baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            while true {
                // One byte more than there may be, to see that there is more.
                let room = min(piece.count - 1, limit - message.count) + 1
                stream.pointee.next_out = piece.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.avail_out = UInt32(room)
                let status = CZlib.inflate(stream, Z_SYNC_FLUSH)
                let made = room - Int(stream.pointee.avail_out)
                guard made <= limit - message.count else { throw .messageTooBig(limit: limit) }
                append(piece[..<made], to: &message, limit)
                switch status {
                case Z_OK:
                    if stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 { return isBetweenBlocks }
                case Z_BUF_ERROR:
                    // Neither input nor output is left.
                    return isBetweenBlocks
                case Z_STREAM_END:
                    // A block that says it is the last is only the last of its message, and the window outlives it
                    // (RFC 7692 §7.2.3.4). `inflateReset` would forget the window.
                    inflateResetKeep(stream)
                    if stream.pointee.avail_in == 0 { return true }
                default: throw .compressedData
                }
            }
        }

        /// As much room at a time as there is already, but not beyond the limit.
        private func append(
            _ bytes: Slice<UnsafeMutableRawBufferPointer>, to message: inout [UInt8], _ limit: Int
        ) {
            let count = message.count + bytes.count
            if count > message.capacity { message.reserveCapacity(min(max(count, 2 * message.count), limit)) }
            message.append(contentsOf: bytes)
        }

        /// All bits are read, and they ended with a block (see `inflate` in zlib.h for the figures).
        private var isBetweenBlocks: Bool {
            stream.pointee.data_type & 128 != 0 && stream.pointee.data_type & 63 == 0
        }
    }
#else
    /// There is none without zlib.
    final class Inflater {
        init?(windowBits: Int) { nil }

        func reset() {}

        func inflate(
            _ packed: [UInt8], limit: Int, by piece: UnsafeMutableRawBufferPointer
        ) throws(FrameError) -> [UInt8] { throw .compressedData }
    }
#endif

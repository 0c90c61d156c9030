#if DEFLATE
    import CZlib

    /// Raw DEFLATE compressor (RFC 1951). Every message's output ends on a byte boundary (RFC 7692 §7.2.1).
    final class Compressor {
        /// zlib stores the stream's address, so the stream must not move.
        private let stream: UnsafeMutablePointer<z_stream>

        /// Bytes of memory for one compressor (zconf.h, "Memory requirements").
        static func bytes(windowBits: Int) -> Int {
            1 << (windowBits + 2) + 1 << (Int(DeflateLimits.memoryLevel) + 9) + 6 << 10
        }

        /// `windowBits` is 9 to 15. Nil when memory is exhausted.
        init?(windowBits: Int) {
            stream = .allocate(capacity: 1)
            stream.initialize(to: z_stream())
            let status = deflateInit2_(
                stream, DeflateLimits.level, Z_DEFLATED, -Int32(windowBits), DeflateLimits.memoryLevel,
                Z_DEFAULT_STRATEGY,
                ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
            guard status == Z_OK else { return nil }
        }

        deinit {
            deflateEnd(stream)
            stream.deallocate()
        }

        /// Discards the window of earlier messages.
        func reset() {
            deflateReset(stream)
        }

        /// Compresses one message, without the last four bytes: receivers append them (RFC 7692 §7.2.1).
        func compress(
            _ message: UnsafeRawBufferPointer, by piece: UnsafeMutableRawBufferPointer
        ) -> [UInt8]? {
            // zlib's flush writes nothing for an empty message, so this returns an empty block (RFC 7692 §7.2.3.6).
            guard !message.isEmpty else { return [0] }
            var packed: [UInt8] = []
            // zlib does not write to its input, although the parameter is not const.
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: message.bindMemory(to: UInt8.self).baseAddress)
            stream.pointee.avail_in = UInt32(message.count)
            repeat {
                stream.pointee.next_out = piece.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.avail_out = UInt32(piece.count)
                let status = deflate(stream, Z_SYNC_FLUSH)
                guard status == Z_OK || status == Z_BUF_ERROR else { return nil }
                packed.append(contentsOf: piece[..<(piece.count - Int(stream.pointee.avail_out))])
            } while stream.pointee.avail_out == 0
            packed.removeLast(4)
            return packed
        }
    }
#else
    final class Compressor {
        static func bytes(windowBits: Int) -> Int { 0 }

        init?(windowBits: Int) { nil }

        func reset() {}

        func compress(
            _ message: UnsafeRawBufferPointer, by piece: UnsafeMutableRawBufferPointer
        ) -> [UInt8]? { nil }
    }
#endif

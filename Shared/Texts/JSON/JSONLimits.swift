/// Bounds of this module: name, unit, default, reason.
package enum JSONLimits {
    /// Containers inside containers. 64: far above any event of the API, and far below a thread's stack.
    package static let maxDepth = 64
    /// Bytes of one JSON document. 16 MiB: replies and batches stay well below, so only nonsense is refused.
    package static let maxDocumentBytes = 16 * 1024 * 1024
}

extension RandomAccessCollection where Index == Int {
    /// Binary search: returns the first index whose element fits, or `endIndex`. All later elements must fit, too.
    @inlinable
    package func firstPlace(where fits: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if fits(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

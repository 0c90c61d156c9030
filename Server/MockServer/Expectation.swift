/// Traps in debug builds if `condition` is false.
@inline(__always)
func expect(
    _ condition: @autoclosure () -> Bool, _ sentence: StaticString, file: StaticString = #fileID,
    line: UInt = #line
) {
    assert(condition(), "\(sentence)", file: file, line: line)
}

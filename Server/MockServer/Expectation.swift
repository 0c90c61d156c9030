/// Traps in debug builds and tests if `condition` is false, which is a bug in this program. Release builds continue.
@inline(__always)
func expect(
    _ condition: @autoclosure () -> Bool, _ sentence: StaticString, file: StaticString = #fileID,
    line: UInt = #line
) {
    assert(condition(), "\(sentence)", file: file, line: line)
}

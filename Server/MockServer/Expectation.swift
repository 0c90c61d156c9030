/// Traps in debug builds and tests where `condition` does not hold, which only a mistake of this program can bring about.
/// Release builds go on.
@inline(__always)
func expect(
    _ condition: @autoclosure () -> Bool, _ sentence: StaticString, file: StaticString = #fileID,
    line: UInt = #line
) {
    assert(condition(), "\(sentence)", file: file, line: line)
}

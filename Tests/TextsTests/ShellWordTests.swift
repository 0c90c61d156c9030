import Expectations
import Testing
import Texts

@Suite("Words of command lines")
struct ShellWordTests {
    @Test(
        "Nothing in a word ends it",
        arguments: [
            ("mock:booking", "'mock:booking'"), ("", "''"), ("it's", #"'it'\''s'"#),
            ("x'; touch pwn; '", #"'x'\''; touch pwn; '\'''"#), ("$(a) `b` \\", #"'$(a) `b` \'"#),
        ] as [(String, String)])
    func quoted(_ text: String, _ word: String) {
        expectEqual(ShellWord.quoted(text), word)
    }
}

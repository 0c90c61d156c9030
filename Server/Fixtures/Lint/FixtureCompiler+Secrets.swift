import Texts

extension FixtureCompiler {
    mutating func findSecrets(_ value: JSON5Value) {
        switch value.content {
        case .text(let text):
            if SecretShape.isIn(text) {
                warn(
                    .secret, at: place(of: value), "This text looks like a token or a key.",
                    fix: "replace it with an invented one: fixtures are shared")
            }
        case .list(let items): for item in items { findSecrets(item) }
        case .object(let members): for member in members { findSecrets(member.value) }
        case .null, .boolean, .number: break
        }
    }
}

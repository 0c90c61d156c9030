/// The version of this package, as `--version` and the health page tell it.
enum Version {
    static let text = "0.1.0"
}

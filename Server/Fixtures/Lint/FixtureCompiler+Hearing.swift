import ConversationEngine

extension FixtureCompiler {
    mutating func findShadowed() {}
    mutating func findUnheardSuggestions() {}
}

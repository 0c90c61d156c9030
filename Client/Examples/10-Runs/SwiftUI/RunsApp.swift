// This file was type-checked only: it has never run on an Apple device.
import AgentRuns
import ChatViews
import Foundation
import RunPresentation
import SwiftUI

@main
struct RunsApp: App {
    private let source: RunSource

    init() {
        guard let url = URL(string: "http://127.0.0.1:8787/ag-ui/refunds") else {
            preconditionFailure("no address")
        }
        let agent = AGUIAgent(configuration: AGUIConfiguration(url: url))
        let thread = AGUIThread(agent: agent, threadID: ThreadID(rawValue: UUID().uuidString))
        source = RunSource(thread, agentName: "Desk", yes: "Approve", no: "Refuse")
    }

    var body: some Scene {
        WindowGroup { ChatView(source: source) }
    }
}

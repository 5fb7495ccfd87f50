// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension WebSocketSession {
    /// Brings all messages of a link to who wants them, until it ends.
    ///
    /// On the link's own event loop, unless who wanted the link is on another one: a message changes the thread once then
    /// on its way to an observer, and not twice. Nobody else's code runs here, and nothing that takes long.
    ///
    /// - Parameters:
    ///   - link: The link.
    ///   - executor: What keeps it where somebody wanted the link.
    func bring(from link: any WebSocketLink, on executor: (any TaskExecutor)?) async {
        let executor = executor ?? (link as? any LoopLink)?.taskExecutor
        await withTaskExecutorPreference(executor) { await self.bringAll(from: link) }
    }

    @concurrent
    private func bringAll(from link: any WebSocketLink) async {
        if let desk { return await desk.bring(from: link) }
        do {
            let here = link as? any LoopLink
            // What nobody has to be waited for does not wake this task.
            here?.handMessages { [hub] in hub.hand($0, $1) }
            while let message = try await link.receive() {
                try await hub.bring(message) { most in here?.takeMessage(upTo: most) }
            }
        } catch {
            // How it ended, the link says itself.
        }
    }
}

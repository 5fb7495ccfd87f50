// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension WebSocketSession {
    /// Delivers all messages of a link to the observers until it ends.
    ///
    /// Performance: runs on the link's event loop, unless the caller that wanted the link is on another one. A
    /// message then switches threads once on its way to an observer instead of twice. No code of the application runs
    /// here, and nothing that blocks.
    ///
    /// - Parameters:
    ///   - link: The link.
    ///   - executor: The executor of the caller that wanted the link.
    func deliverMessages(from link: any WebSocketChannel, on executor: (any TaskExecutor)?) async {
        let executor = executor ?? (link as? any EventLoopWebSocketChannel)?.taskExecutor
        await withTaskExecutorPreference(executor) { await self.deliverAll(from: link) }
    }

    @concurrent
    private func deliverAll(from link: any WebSocketChannel) async {
        if let fragmentQueue { return await fragmentQueue.addMessages(from: link) }
        do {
            let here = link as? any EventLoopWebSocketChannel
            // The normal path: messages that need not wait for room are delivered on the event loop, without waking
            // this task.
            here?.deliverMessages { [hub] in hub.deliverImmediately($0, more: $1) }
            while let message = try await link.receive() {
                try await hub.deliver(message) { maximumSize in here?.takeBufferedMessage(upTo: maximumSize) }
            }
        } catch {
            // The link's `closure` describes its end.
        }
    }
}

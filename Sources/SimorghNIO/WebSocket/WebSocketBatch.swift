// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What came of one read, on its way into the inbox: mostly a single message, for which no array is made.
struct WebSocketBatch {
    /// It is handed on as soon as there is this much in it.
    private static let mostItems = 64
    private static let mostCost = 256 * 1024

    /// What came, as long as it is all there is.
    private(set) var only: WebSocketInbox.Item?
    /// What came, in its order, where that is more.
    private(set) var items: [WebSocketInbox.Item] = []
    private var cost = 0

    var isEmpty: Bool { only == nil && items.isEmpty }

    /// Whether it is to be handed on now, and not with what comes next.
    var isFull: Bool { items.count >= Self.mostItems || cost >= Self.mostCost }

    mutating func append(_ item: WebSocketInbox.Item) {
        cost += item.cost
        if let first = only.take() {
            items.append(first)
        } else if items.isEmpty {
            only = item
            return
        }
        items.append(item)
    }

    mutating func removeAll() {
        only = nil
        cost = 0
        // The memory of what mostly comes is used again.
        if !items.isEmpty { items.removeAll(keepingCapacity: items.count <= Self.mostItems) }
    }
}

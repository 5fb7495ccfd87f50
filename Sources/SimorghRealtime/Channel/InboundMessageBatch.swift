// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The items of one read on their way into the inbox: usually a single message, for which no array is allocated.
struct InboundMessageBatch {
    /// The limits from which the batch is delivered.
    private static let maximumItems = 64
    private static let maximumCost = 256 * 1024

    /// The only item; `nil` if there is no item or several.
    private(set) var only: InboundMessageQueue.Item?
    /// The items in order, if there are several.
    private(set) var items: [InboundMessageQueue.Item] = []
    private var cost = 0

    var isEmpty: Bool { only == nil && items.isEmpty }

    /// True if the batch is to be delivered before more is added.
    var isFull: Bool { items.count >= Self.maximumItems || cost >= Self.maximumCost }

    mutating func append(_ item: InboundMessageQueue.Item) {
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
        // The array's memory is reused, unless the batch was unusually large.
        if !items.isEmpty { items.removeAll(keepingCapacity: items.count <= Self.maximumItems) }
    }
}

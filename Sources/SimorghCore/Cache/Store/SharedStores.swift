// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Stores that a process has once for each folder, as long as somebody has them.
package struct SharedStores: Sendable {
    private struct Weak: Sendable {
        weak var store: BlobStore?
    }

    private var stores: [BlobStore.Identity: Weak] = [:]

    package init() {}

    /// The store of a folder.
    ///
    /// - Parameters:
    ///   - identity: What tells it from others.
    ///   - make: Makes it where there is none, and is told whether there was one before.
    /// - Returns: The store, and whether it was made.
    package mutating func store(
        _ identity: BlobStore.Identity, orMake make: (_ isFollowing: Bool) -> BlobStore
    ) -> (store: BlobStore, isNew: Bool) {
        let earlier = stores[identity]
        if let store = earlier?.store { return (store, false) }
        stores = stores.filter { $0.value.store != nil }
        let store = make(earlier != nil)
        stores[identity] = Weak(store: store)
        return (store, true)
    }
}

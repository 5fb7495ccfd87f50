// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The stores of a process, one for each folder, held weakly.
package struct SharedStores: Sendable {
    private struct Weak: Sendable {
        weak var store: BlobStore?
    }

    private var stores: [BlobStore.Identity: Weak] = [:]

    package init() {}

    /// Returns the store of a folder.
    ///
    /// - Parameters:
    ///   - identity: The identity of the store.
    ///   - make: Creates the store; its argument is true if there was an earlier store.
    /// - Returns: The store, and true if it was created.
    package mutating func store(
        _ identity: BlobStore.Identity, orMake make: (_ isSuccessor: Bool) -> BlobStore
    ) -> (store: BlobStore, isNew: Bool) {
        let earlier = stores[identity]
        if let store = earlier?.store { return (store, false) }
        stores = stores.filter { $0.value.store != nil }
        let store = make(earlier != nil)
        stores[identity] = Weak(store: store)
        return (store, true)
    }
}

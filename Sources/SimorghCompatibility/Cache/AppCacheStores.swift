// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport
import Synchronization

/// The two stores of an application cache; caches of one process with the same folder share both.
///
/// There are two because entries with the level `memory` must not touch the disk.
struct AppCacheStores: Sendable {
    let memory: BlobStore
    let disk: BlobStore

    /// The memory stores of this process by folder.
    private static let sharedStores = Mutex(SharedStores())

    /// Creates the stores, or takes those that this process already has for the folder and changes their capacities.
    init(_ configuration: AppCacheConfiguration) {
        var onDisk = BlobStore.Settings()
        onDisk.memoryCapacity = 0
        onDisk.diskCapacity = BlobStore.Settings.capacity(configuration.diskCapacity)
        onDisk.diskPath =
            configuration.diskPath ?? "\(Platform.cacheFolder.path)/simorgh/app/\(Platform.programName)"
        onDisk.root = configuration.diskPath == nil ? Platform.cacheFolder : nil
        onDisk.encryptionKey = configuration.encryptionKey
        onDisk.purpose = "app"
        disk = BlobStore.shared(onDisk)
        var inMemory = BlobStore.Settings()
        inMemory.memoryCapacity = BlobStore.Settings.capacity(configuration.memoryCapacity)
        inMemory.diskCapacity = 0
        memory = Self.memory(inMemory, beside: onDisk.identity)
    }

    private static func memory(_ settings: BlobStore.Settings, beside folder: BlobStore.Identity?) -> BlobStore {
        guard let folder else { return BlobStore(settings) }
        let (store, isNew) = sharedStores.withLock { $0.store(folder) { _ in BlobStore(settings) } }
        if !isNew { store.resize(settings) }
        return store
    }
}

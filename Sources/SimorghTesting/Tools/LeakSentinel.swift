// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// Holds weak references to objects and reports those that still live as leaks.
///
/// ```swift
/// let objects = LeakSentinel()
/// try await expectNoLeaks(in: objects) {
///     let model = objects.watch(Model(client: client))
///     await model.load()
/// }
/// ```
public final class LeakSentinel: LeakWatched, NumberedOpenResources {
    private struct Watched: Sendable {
        weak var object: (any AnyObject & Sendable)?
        let name: String
    }

    private let objects = Mutex<[Watched]>([])

    /// Creates a sentinel without objects.
    public init() {}

    /// Watches an object.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - name: Its name in errors; the name of its type by default.
    /// - Returns: The object.
    @discardableResult
    public func watch<Object: AnyObject & Sendable>(_ object: Object, named name: String? = nil) -> Object {
        let watched = Watched(object: object, name: name ?? "\(type(of: object))")
        objects.withLock { $0.append(watched) }
        return object
    }

    package var numberedLeftovers: [OpenResource] {
        objects.withLock { objects in
            objects.enumerated().filter { $0.element.object != nil }
                .map { OpenResource(id: $0.offset, name: $0.element.name) }
        }
    }

    /// The names of the objects that still live.
    public var leftovers: [String] { objects.withLock { $0.filter { $0.object != nil }.map(\.name) } }
}

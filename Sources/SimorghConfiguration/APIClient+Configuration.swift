// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Configuration
public import Configuration
public import SimorghCore

extension APIClient {
    /// Applies the values of a reader to the client, now and after each change, until the task is cancelled.
    ///
    /// ```swift
    /// import Configuration
    ///
    /// let following = Task { try await client.followConfiguration(reader.scoped(to: "http")) }
    /// ```
    /// The settings with a key of `APIClient.Configuration(reader:)` belong to the reader from then
    /// on: a setting whose value is removed returns to its state before this call. Calls that are described later use
    /// the new settings; running calls and views from ``/SimorghCore/APIClient/with(_:)`` do not change.
    ///
    /// A change with an invalid value is rejected as a whole, and the settings stay as they are.
    ///
    /// - Parameters:
    ///   - reader: The reader; its provider must support changes, as a reloading file does.
    ///   - onRejected: Called with the error of each rejected change.
    /// - Throws: ``ClientConfigurationError`` if a value is invalid at the beginning, or the error of the provider. A
    ///   cancelled task returns normally or throws `CancellationError`, as the provider does.
    @concurrent
    public func followConfiguration(
        _ reader: ConfigReader, onRejected: (@Sendable (ClientConfigurationError) -> Void)? = nil
    ) async throws {
        let base = configuration
        try await reader.watchSnapshot { updates in
            var isFirst = true
            for await snapshot in updates {
                do {
                    try apply(snapshot, over: base)
                } catch let error as ClientConfigurationError where !isFirst {
                    onRejected?(error)
                }
                isFirst = false
            }
        }
    }

    private func apply(_ snapshot: ConfigSnapshotReader, over base: Configuration) throws {
        var changed = base
        try changed.update(from: snapshot)
        updateConfiguration { $0.restoreReadSettings(from: changed) }
    }
}
#endif

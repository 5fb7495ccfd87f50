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
    /// let own = APIClient.Configuration()
    /// var configuration = own
    /// try configuration.update(from: reader)
    /// let client = APIClient(configuration: configuration)
    /// let following = Task {
    ///     do {
    ///         try await client.followConfiguration(reader, over: own) { error in print("rejected:", error) }
    ///     } catch {
    ///         print("not followed:", error)
    ///     }
    /// }
    /// ```
    /// A setting with a key of `APIClient.Configuration(reader:)` belongs to the reader as soon as one of its keys has a
    /// value. If the value is removed later, the setting returns to its state in `base`. The other settings stay as the
    /// program sets them. The timeouts are one setting, and so are the limits, the retry policy, the header
    /// fields, the TLS options, the allowed networks and the authentication. Calls that are described later use the new
    /// settings; running calls and views from ``/SimorghCore/APIClient/with(_:)`` do not change.
    ///
    /// A change with an invalid value is rejected as a whole, and the settings stay as they are. Only `onRejected`
    /// reports it.
    ///
    /// - Parameters:
    ///   - reader: The reader; its provider must support changes, as a reloading file does.
    ///   - base: The program's own settings, to which settings return. A configuration that already has values of the
    ///     reader keeps them after their removal. Default: the current settings of the client.
    ///   - onRejected: Called with the error of each rejected change.
    /// - Throws: ``ClientConfigurationError`` if a value is invalid at the beginning, or the error of the provider. A
    ///   cancelled task returns normally or throws `CancellationError`, as the provider does.
    @concurrent
    public func followConfiguration(
        _ reader: ConfigReader, over base: APIClient.Configuration? = nil,
        onRejected: (@Sendable (ClientConfigurationError) -> Void)? = nil
    ) async throws {
        let base = base ?? configuration
        try await reader.watchSnapshot { updates in
            var isFirst = true
            var names: Set<String> = []
            for await snapshot in updates {
                do throws(ClientConfigurationError) {
                    var changed = base
                    names.formUnion(try changed.read(snapshot))
                    updateConfiguration { $0.copy(names, from: changed) }
                } catch {
                    guard !isFirst else { throw error }
                    onRejected?(error)
                }
                isFirst = false
            }
        }
    }
}
#endif

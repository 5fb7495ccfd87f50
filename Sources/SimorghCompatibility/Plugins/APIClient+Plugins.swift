// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension APIClient.Configuration {
    private enum PluginsKey: UserInfo.Key { static let defaultValue: [any Plugin] = [] }

    /// The plugins of every call, which change its request, observe it and verify its response.
    ///
    /// Default: none.
    ///
    /// They run inside ``/SimorghCore/APIClient/Configuration/interceptors``. If several have the same id, only the
    /// first runs; see ``/SimorghCompatibility/SimorghCore/Call/plugins(_:)``.
    public var plugins: [any Plugin] {
        get { compatibility[PluginsKey.self] }
        set {
            compatibility[PluginsKey.self] = newValue
            addOuterSteps()
        }
    }

    /// Adds the interceptors of this module; each is `nil` if its setting is off.
    mutating func addOuterSteps() {
        addedSteps.outer = [
            { configuration, _ in configuration.plugins.isEmpty ? nil : .plugins(configuration.plugins) },
            { configuration, state in .stopTheLine(configuration, state: state) },
        ]
    }
}

extension Call {
    /// Returns the same call with more plugins; they replace those with the same id.
    ///
    /// - Parameter plugins: The plugins.
    /// - Returns: The call.
    public func plugins(_ plugins: [any Plugin]) -> Call { with { $0.plugins = plugins + $0.plugins } }
}

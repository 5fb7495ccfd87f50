// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension APIClient.Configuration {
    private enum PluginsKey: UserInfo.Key { static let defaultValue: [any Plugin] = [] }

    /// What accompanies every call: changes its request, watches it, judges its response; none by default.
    ///
    /// They run inside of ``/SimorghCore/APIClient/Configuration/interceptors``. Of those with one id the first runs; see
    /// ``/SimorghCompatibility/SimorghCore/Call/plugins(_:)``.
    public var plugins: [any Plugin] {
        get { compatibility[PluginsKey.self] }
        set {
            compatibility[PluginsKey.self] = newValue
            addOuterSteps()
        }
    }

    /// Adds the steps of this library, which are off where their settings are.
    mutating func addOuterSteps() {
        addedSteps.outer = [
            { configuration, _ in configuration.plugins.isEmpty ? nil : .plugins(configuration.plugins) },
            { configuration, state in .stopTheLine(configuration, state) },
        ]
    }
}

extension Call {
    /// The same call with more plugins; one with the id of a plugin that is there already takes its place.
    ///
    /// - Parameter plugins: The plugins.
    /// - Returns: The call.
    public func plugins(_ plugins: [any Plugin]) -> Call { with { $0.plugins = plugins + $0.plugins } }
}

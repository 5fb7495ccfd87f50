// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// The name of a value in a message, such as `the body` or `tags[2].name`.
struct ValueName: CustomStringConvertible, Sendable {
    private let root: String
    private var path = ""
    /// True if messages do not show the value, because a part of its name is that of a secret.
    private(set) var isSecret: Bool

    init(_ root: String, isSecret: Bool = false) {
        self.root = root
        self.isSecret = isSecret
    }

    var description: String { path.isEmpty || path.hasPrefix("[") ? root + path : path }

    func member(_ name: String) -> ValueName {
        var copy = self
        copy.path += path.isEmpty ? "\(name.prefix(100))" : ".\(name.prefix(100))"
        copy.isSecret = isSecret || RedactionRules.standard.isSecret(name.utf8)
        return copy
    }

    func element(_ index: Int) -> ValueName {
        var copy = self
        copy.path += "[\(index)]"
        return copy
    }
}

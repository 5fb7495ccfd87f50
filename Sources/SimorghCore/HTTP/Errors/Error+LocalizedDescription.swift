// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// Also with a package of that name, Apple platforms use their own Foundation: its types differ.
#if canImport(FoundationEssentials) && !canImport(Darwin)
import FoundationEssentials

extension Error {
    /// The error's `errorDescription` if it is a `LocalizedError`, else its description.
    ///
    /// On Linux this property belongs to the full Foundation, with the libraries of ICU, which `import Simorgh` does
    /// not link. If both are imported, Foundation's property is used.
    @_disfavoredOverload
    public var localizedDescription: String {
        (self as? any LocalizedError)?.errorDescription ?? String(describing: self)
    }
}
#endif

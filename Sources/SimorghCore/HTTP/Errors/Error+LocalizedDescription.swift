// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(FoundationEssentials)
import FoundationEssentials

extension Error {
    /// The error in words: its `errorDescription` where it is a `LocalizedError`, else its description.
    ///
    /// On Linux this property is in the whole of Foundation, with the libraries of ICU, which `import Simorgh` does not link.
    /// If both are imported, that of Foundation is taken.
    @_disfavoredOverload
    public var localizedDescription: String {
        (self as? any LocalizedError)?.errorDescription ?? String(describing: self)
    }
}
#endif

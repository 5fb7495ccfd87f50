// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
import Foundation

extension String {
    /// True if the text is in Unicode's Normalization Form C.
    var isComposed: Bool {
        unicodeScalars.elementsEqual(precomposedStringWithCanonicalMapping.unicodeScalars)
    }
}
#endif

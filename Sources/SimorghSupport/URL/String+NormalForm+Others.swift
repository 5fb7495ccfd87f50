// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if !canImport(Darwin)
extension String {
    /// True if the text is in Unicode's Normalization Form C.
    var isComposed: Bool {
        var span = utf8Span
        return span.checkForNFC(quickCheck: false)
    }
}
#endif

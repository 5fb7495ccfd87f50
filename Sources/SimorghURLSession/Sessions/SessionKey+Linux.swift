// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
extension URLSessionConfiguration {
    /// Applies the options of a key: a configuration has none of them here, see ``SessionFeatures``.
    func apply(_ key: SessionKey) {}
}
#endif

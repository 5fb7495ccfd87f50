// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
extension BodyStreamPair {
    /// Returns no streams: Foundation has no bound streams here, and bodies are collected first.
    package static func bound(bufferSize: Int) -> BodyStreamPair {
        BodyStreamPair(input: nil, output: nil) { _, _ in }
    }
}
#endif

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if !canImport(Darwin)
import SimorghCore

/// Elsewhere nothing runs when the program does not.
enum SystemCarrier {
    static func carrier(for config: DownloadManagerConfig) -> (any DownloadCarrier)? { nil }
}
#endif

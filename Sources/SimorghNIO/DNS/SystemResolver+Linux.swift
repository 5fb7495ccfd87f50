// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Glibc)
import Glibc

extension SystemResolver {
    static let stream = Int32(SOCK_STREAM.rawValue)
}
#endif

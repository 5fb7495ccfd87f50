// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

#if !canImport(Glibc)
extension SystemResolver {
    static let stream = SOCK_STREAM
}
#endif

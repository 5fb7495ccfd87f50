// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
import SimorghCore
import SimorghURLSession

/// The transport of clients and download managers that are created without one: the system's stack.
enum DefaultTransport {
    static var shared: any Transport { URLSessionTransport.shared }
}
#endif

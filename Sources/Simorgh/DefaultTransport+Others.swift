// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if !canImport(Darwin)
import SimorghCore
import SimorghNIO

/// The transport of clients and download managers that are created without one: the engine.
enum DefaultTransport {
    static var shared: any Transport { NIOTransport.shared }
}
#endif

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
import Darwin
import NIOCore

extension ConnectionHealth {
    /// Whether TCP holds a connection for established, which it is no more once the peer has closed its side.
    static func state(of options: any SocketOptionProvider) -> EventLoopFuture<Bool> {
        options.getTCPConnectionInfo().map { $0.tcpi_state == 4 }
    }
}
#endif

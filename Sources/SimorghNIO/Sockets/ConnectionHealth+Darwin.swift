// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
import Darwin
import NIOCore

extension ConnectionHealth {
    /// Returns true if TCP reports the connection as established, which ends when the peer closes its side.
    static func state(of options: any SocketOptionProvider) -> EventLoopFuture<Bool> {
        options.getTCPConnectionInfo().map { $0.tcpi_state == 4 }
    }
}
#endif

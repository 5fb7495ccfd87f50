// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if !os(Linux)
package import NIOCore
import SimorghRealtime

extension TCPInfo {
    /// Returns `nil`: on this platform a channel does not expose the kernel's state.
    package init?(of channel: any Channel) { nil }
}
#endif

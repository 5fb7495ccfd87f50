// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghRealtime
import SimorghSupport

#if os(Linux)
package import NIOCore
import SimorghCore

extension TCPInfo {
    /// The offsets of fields in the kernel's `struct tcp_info`; the C library that Swift imports has an older version.
    private enum Offset {
        static let unacknowledged = 24
        static let sinceReceived = 52
        static let acknowledged = 120
        static let received = 128
        static let end = 136
    }

    /// Reads the kernel's state of a connection, on its event loop; `nil` if it is not a TCP connection.
    package init?(of channel: any Channel) {
        let info = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
            of: NIOBSDSocket.Handle.self
        ) { TCPInfo(of: $0) }
        guard let info, let info else { return nil }
        self = info
    }

    private init?(of socket: CInt) {
        // IPPROTO_TCP and TCP_INFO; SOL_SOCKET and SO_MEMINFO, which old kernels lack.
        guard let info = Self.option(socket, level: 6, name: 11, count: Offset.end) else { return nil }
        let memory = Self.option(socket, level: 1, name: 55, count: 8)
        self.init(
            received: info.load(Offset.received), silence: Int64(info.load(Offset.sinceReceived) as UInt32) * 1_000_000,
            acknowledged: info.load(Offset.acknowledged), isAwaiting: info.load(Offset.unacknowledged) as UInt32 > 0,
            hasRoom: memory.map { UInt64($0.load(0) as UInt32) * 2 < UInt64($0.load(4) as UInt32) } ?? false)
    }

    /// Returns the value of a socket option; `nil` if it does not have `count` bytes.
    private static func option(_ socket: CInt, level: CInt, name: CInt, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var size = socklen_t(count)
        let result = bytes.withUnsafeMutableBytes { getsockopt(socket, level, name, $0.baseAddress, &size) }
        return result == 0 && Int(size) == count ? bytes : nil
    }
}

extension [UInt8] {
    fileprivate func load<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> Number {
        withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
    }
}
#endif

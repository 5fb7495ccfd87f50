// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension TransportRequest {
    /// Checks that the request may use the current network, for a transport whose system does not check that.
    ///
    /// - Throws: `TransportError` with `NetworkAccessError` as its cause, before a byte is sent. It does not throw if
    ///   the monitor does not know the network, or if the host is nearby.
    package func checkNetworkAccess() async throws(TransportError) {
        guard options.access != NetworkAccess(), let monitor = options.monitor, options.route.unixSocket == nil,
            !HostReachability.isNearby(host: head.authority ?? ""),
            let rule = options.access.objection(to: await monitor.awaitedStatus())
        else { return }
        let cause = NetworkAccessError(rule)
        throw TransportError(
            .notConnectedToInternet, phase: .connect, message: cause.description, requestMayHaveBeenSent: false,
            underlying: cause)
    }
}

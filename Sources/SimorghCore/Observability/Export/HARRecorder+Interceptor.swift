// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension HARRecorder {
    /// The interceptor that records.
    ///
    /// Add it to ``APIClient/Configuration/networkInterceptors``, so that it sees each attempt on the network.
    public var interceptor: Interceptor {
        Interceptor { [self] request, next in try await recording(request, send: next) }
    }
}

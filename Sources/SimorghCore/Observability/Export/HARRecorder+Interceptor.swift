// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension HARRecorder {
    /// The step that records: one of ``APIClient/Configuration/networkInterceptors``, so that it sees each attempt as it is on
    /// the wire.
    public var interceptor: Interceptor {
        Interceptor { [self] request, next in try await recording(request, next) }
    }
}

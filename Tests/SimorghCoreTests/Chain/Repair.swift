// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import Synchronization

/// Something that is broken until it is mended, once.
final class Repair: Sendable {
    private let done = Mutex(false)

    var isDone: Bool { done.withLock { $0 } }

    func mend() { done.withLock { $0 = true } }
}

/// A line made of closures.
struct Line: StopTheLine {
    var judge: @Sendable (TransportResponse) throws -> StopTheLineAction = { response in
        response.head.status == .unauthorized ? .stopTheLine : .passOver
    }
    var act: @Sendable (APIClient, TransportResponse) async throws -> StopTheLineResult

    func action(
        with client: APIClient, response: TransportResponse, request: TransportRequest
    ) async throws -> StopTheLineResult {
        try await act(client, response)
    }

    func verify(response: TransportResponse, request: TransportRequest) async throws -> StopTheLineAction {
        try judge(response)
    }
}

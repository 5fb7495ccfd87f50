// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCompatibility
package import SimorghCore
import SimorghTesting
import Synchronization

/// A fault that is repaired once.
package final class RepairableFault: Sendable {
    private let done = Mutex(false)

    package init() {}

    package var isDone: Bool { done.withLock { $0 } }

    package func repair() { done.withLock { $0 = true } }
}

/// A StopTheLine implementation made of closures.
package struct Line: StopTheLine {
    package var judge: @Sendable (TransportResponse) throws -> StopTheLineAction
    package var act: @Sendable (APIClient, TransportResponse) async throws -> StopTheLineResult

    package init(
        judge: @escaping @Sendable (TransportResponse) throws -> StopTheLineAction = { response in
            response.head.status == .unauthorized ? .stopTheLine : .passOver
        },
        act: @escaping @Sendable (APIClient, TransportResponse) async throws -> StopTheLineResult
    ) { (self.judge, self.act) = (judge, act) }

    package func action(
        with client: APIClient, response: TransportResponse, request: TransportRequest
    ) async throws -> StopTheLineResult {
        try await act(client, response)
    }

    package func verify(response: TransportResponse, request: TransportRequest) async throws -> StopTheLineAction {
        try judge(response)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

/// Refused responses that are held while a refresh or retry is prepared.
@Suite(.timeLimit(.minutes(10)))
struct HeldResponseTests {
    @Test("An endless body of a refused response is read for a limited time, and its status becomes the call's error")
    func slowBody() async throws {
        let clock = TestClock()
        let never = Gate()
        let transport = StubServer { _ in
            .chunks([.bytes(Data("begun".utf8)), .wait(never)], status: .unauthorized)
        }
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.authentication = .refreshing(RefreshingToken(AccessToken("old")) { _ in nil })
        }
        let call = Task { try await client.call(.get, "x").stream() }
        try await clock.sleeping()
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: NetworkError.self) { _ = try await call.value }
        #expect(error?.statusCode == 401)
        #expect(error?.responseData == Data("begun".utf8))
        guard case .customError(_, let response) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(response.isBodyTruncated)
    }

    @Test("The body of a refused response is released before the request is sent again", arguments: 0..<3)
    func letGo(kind: Int) async throws {
        let scopes = LockedValue<[Int]>([])
        let never = Gate()
        let large = StubResponse.BodyStep.bytes(Data(repeating: 7, count: 100_000))
        let repair = RepairableFault()
        let transport = StubServer { request in
            // A body that is not released is still a member of the scope of its call; releasing it may take a moment.
            let scope = try #require(request.options?.scope)
            try await eventually { scope.count <= scopes.value.first ?? .max }
            scopes.change { $0.append(scope.count) }
            guard request.index == 0 else { return .status(.ok) }
            let challenge = StubResponse.chunks([large, .wait(never)], status: .unauthorized)
            return challenge.header(.wwwAuthenticate, value: "Digest realm=r, nonce=n, qop=auth")
        }
        let client = APIClient.scripted(transport) {
            switch kind {
            case 0:
                $0.authentication = .refreshing(RefreshingToken(AccessToken("old")) { _ in AccessToken("new") })
            case 1: $0.authentication = .digest(username: "u", password: "p")
            default:
                $0.stopTheLine = Line { _, _ in
                    repair.repair()
                    return .retry
                }
            }
        }
        _ = try await client.call(.get, "x").stream()
        #expect(scopes.value.count == 2)
        #expect(scopes.value.first == scopes.value.last)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCombine
import SimorghCore
import SimorghTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.timeLimit(.minutes(10)))
struct SurfaceTests {
    struct User: Codable, Sendable, Equatable { var id: Int }

    /// The server's response, for which every surface must have the same outcome.
    enum Answer: String, CaseIterable, Sendable {
        case value, refusal, undecodable, empty, lost, invalid

        var stub: StubResponse {
            switch self {
            case .value, .invalid: .json(#"{"id":7}"#)
            case .refusal: .json(#"{"id":0}"#, status: .notFound)
            case .undecodable: .json(#"{"id":"seven"}"#)
            case .empty: .status(.noContent)
            case .lost: .timedOut(.head)
            }
        }
    }

    @Test(
        "Async, publisher and callback calls have the same values and errors",
        arguments: Surface.allCases, Answer.allCases)
    func outcomes(surface: Surface, answer: Answer) async throws {
        let transport = StubServer { _ in answer.stub }
        let client = APIClient.scripted(transport)
        let path = answer == .invalid ? "a/../b" : "users/7"
        let call = client.call(.get, path).decoding(.decodable(User.self))
        let outcome = await surface.outcome(of: call)
        switch (answer, outcome) {
        case (.value, .success(let user)):
            #expect(user == User(id: 7))
        case (.refusal, .failure(.customError(let status, let response))):
            #expect(status == 404)
            #expect(response.body == Data(#"{"id":0}"#.utf8))
        case (.undecodable, .failure(.decodingError(let failure))):
            #expect(failure.path == "id")
        case (.empty, .failure(.emptyResponse(let response))):
            #expect(response.statusCode == 204)
        case (.lost, .failure(.urlError(let error))):
            #expect(error.code == .timedOut)
            #expect(error.phase == .head)
        case (.invalid, .failure(.invalidRequest(let error, _))):
            #expect(error.reason == .invalidURL)
        default:
            Issue.record("\(surface), \(answer): \(outcome)")
        }
        #expect(transport.requestCount == (answer == .invalid ? 0 : 1))
    }

    @Test("A call is cold, and each use is a separate exchange", arguments: Surface.allCases)
    func cold(surface: Surface) async throws {
        let transport = StubServer { _ in .json(#"{"id":7}"#) }
        let call = APIClient.scripted(transport).call(.get, "x")
        #expect(transport.requestCount == 0)
        _ = await surface.outcome(of: call)
        _ = await surface.outcome(of: call)
        #expect(transport.requestCount == 2)
    }

    @Test("Cancelling a call through any surface stops only its own exchange, at once", arguments: Surface.allCases)
    func cancellation(surface: Surface) async throws {
        let gate = Gate()
        let transport = StubServer { _ in .status(.noContent).held(by: gate) }
        let client = APIClient.scripted(transport)
        let call = client.call(.get, "x")
        async let other = call.status().statusCode
        _ = try await transport.request(at: 0)
        try await expectNoLeaks(in: transport, within: .seconds(3600)) {
            let cancel = surface.begin(call)
            _ = try await transport.request(at: 1)
            #expect(transport.leftovers.count == 2)
            cancel()
        }
        #expect(transport.leftovers.count == 1)
        gate.open()
        #expect(try await other == 204)
    }

    @Test("A call that is cancelled before it starts sends nothing")
    func cancelledBefore() async throws {
        let transport = StubServer { _ in .status(.ok) }
        let client = APIClient.scripted(transport)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await Surface.awaited.outcome(of: client.call(.get, "x"))
        }
        guard case .failure(let error) = await task.value else {
            Issue.record("expected a failure")
            return
        }
        #expect(error.isCancelled)
        #expect(transport.requestCount == 0)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghTesting
import Testing

@Suite("NetworkError.isRetryable", .timeLimit(.minutes(10)))
struct RetryabilityTests {
    @Test(
        "NET2: isRetryable of a status",
        arguments: [
            (408, true), (429, true), (500, true), (502, true), (503, true), (504, true), (400, false), (401, false),
            (404, false), (409, false), (501, false),
        ])
    func statuses(code: Int, isRetryable: Bool) async throws {
        let transport = StubServer { _ in .status(HTTPResponse.Status(code: code)) }
        let error = await #expect(throws: NetworkError.self) {
            try await APIClient.scripted(transport).call(.get, "x").data()
        }
        #expect(error?.isRetryable == isRetryable)
    }

    @Test(
        "NET2: isRetryable of a transport error",
        arguments: [
            (TransportError.Code.cannotConnectToHost, true), (.timedOut, true), (.networkConnectionLost, true),
            (.cannotFindHost, true), (.notConnectedToInternet, true), (.secureConnectionFailed, false),
            (.serverCertificateUntrusted, false), (.badURL, false), (.cancelled, false), (.badServerResponse, false),
        ])
    func codes(code: TransportError.Code, isRetryable: Bool) async throws {
        let transport = StubServer { _ in
            .failure(TransportError(code, phase: .connect, message: "scripted"))
        }
        let error = await #expect(throws: NetworkError.self) {
            try await APIClient.scripted(transport).call(.get, "x").data()
        }
        #expect(error?.isRetryable == isRetryable)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CallResultTests {
    private func client(_ answer: StubResponse) -> APIClient { .scripted(StubServer { _ in answer }) }

    @Test("result() holds the value, or the error with its type")
    func result() async throws {
        let user = await client(.json(#"{"id":7,"name":"Zal"}"#)).call(.get, "x").result(User.self)
        #expect(try user.get() == User(id: 7, name: "Zal"))
        switch await client(.json("{}", status: .notFound)).call(.get, "x").result() {
        case .failure(.customError(404, let response)): #expect(response.url.hasSuffix("/x"))
        case let other: Issue.record("\(other)")
        }
    }

    @Test("result() of a cancelled task is a cancellation error")
    func cancelled() async throws {
        let call = client(.json("{}")).call(.get, "x")
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await call.result()
        }
        task.cancel()
        guard case .failure(let error) = await task.value else {
            Issue.record("the call was not cancelled")
            return
        }
        #expect(error.isCancelled)
    }

    @Test("A collected response and a streamed one have the same names for status, fields and URL")
    func names() async throws {
        let answer = StubResponse.json("{}", status: .created).header(.server, value: "birds")
        let collected = try await client(answer).call(.get, "x").response()
        let streamed = try await client(answer).call(.get, "x").stream()
        #expect(collected.statusCode == streamed.statusCode)
        #expect(collected.headers == streamed.headers)
        #expect(collected.headers[.server] == "birds")
        #expect(collected.url == streamed.url)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghTesting

extension DemoStep {
    static let timeout = DemoStep(
        "timeout", title: "A server that is too slow",
        code: """
            let hasty = client.with { $0.timeouts.total = .milliseconds(250) }
            do {
                try await hasty.call(.get, "delay/10").void()
            } catch NetworkError.urlError(let cause) {
                print("\\(cause.code) after \\(cause.limit ?? .zero)")
            }
            """,
        run: showTimeout
    )

    private static func showTimeout(_ environment: DemoEnvironment) async throws {
        let (client, print) = (environment.client, environment.print)
        // demo: timeout
        let hasty = client.with { $0.timeouts.total = .milliseconds(250) }
        do {
            try await hasty.call(.get, "delay/10").void()
        } catch NetworkError.urlError(let cause) {
            print("\(cause.code) after \(cause.limit ?? .zero)")
        }
        // demo: end
        try environment.expect("timedOut after 0.25 seconds")
    }

    static let typedFailure = DemoStep(
        "failure", title: "A 404 response, and the server's own error",
        code: """
            struct Problem: Codable { let code: String; let hint: String }

            let lost: APIRequest<User, Problem> = .get("users/99")
            do {
                _ = try await client.response(for: lost)
            } catch APIClientError<Problem>.apiError(let refusal) {
                print("\\(refusal.statusCode): \\(refusal.error?.hint ?? "")")
            }
            """,
        run: showFailure
    )

    private static func showFailure(_ environment: DemoEnvironment) async throws {
        let (client, print) = (environment.client, environment.print)
        // demo: failure
        let lost: APIRequest<User, Problem> = .get("users/99")
        do {
            _ = try await client.response(for: lost)
        } catch APIClientError<Problem>.apiError(let refusal) {
            print("\(refusal.statusCode): \(refusal.error?.hint ?? "")")
        }
        // demo: end
        try environment.expect("404: user 99 has flown away")
    }

    static let cancellation = DemoStep(
        "cancel", title: "A call that is cancelled while the server works on it",
        code: """
            let task = Task { try await client.call(.get, "delay/60").void() }
            _ = try await server.request(at: count)  // The request has arrived.
            task.cancel()
            if case .failure(let error as NetworkError) = await task.result {
                print(error.isCancelled ? "cancelled" : "\\(error)")
            }
            """
    ) { environment in
        let (client, server, print) = (environment.client, environment.server, environment.print)
        let count = server.requestCount
        // demo: cancel
        let task = Task { try await client.call(.get, "delay/60").void() }
        _ = try await server.request(at: count)  // The request has arrived.
        task.cancel()
        if case .failure(let error as NetworkError) = await task.result {
            print(error.isCancelled ? "cancelled" : "\(error)")
        }
        // demo: end
        try environment.expect("cancelled")
    }
}
#endif

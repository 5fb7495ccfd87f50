// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// `error.localizedDescription` without importing Foundation.
import Simorgh

func described(_ client: APIClient) async -> String {
    do {
        try await client.call(.get, "a").void()
        return ""
    } catch {
        return error.localizedDescription
    }
}

func described(_ error: NetworkError) -> String { error.localizedDescription }

func described(_ error: any Error) -> String { error.localizedDescription }

func described(_ errors: [any Error]) -> [String] { errors.map(\.localizedDescription) }

func described(_ failure: some Error) -> String { failure.localizedDescription }

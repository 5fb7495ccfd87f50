// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The same with Foundation imported, whose own property is used if both exist.
import Foundation
import Simorgh

func describedWithFoundation(_ client: APIClient) async -> String {
    do {
        try await client.call(.get, "a").void()
        return ""
    } catch {
        return error.localizedDescription
    }
}

func describedWithFoundation(_ error: NetworkError) -> String { error.localizedDescription }

func describedWithFoundation(_ error: any Error) -> String { error.localizedDescription }

func describedWithFoundation(_ errors: [any Error]) -> [String] { errors.map(\.localizedDescription) }

func describedWithFoundation(_ failure: some Error) -> String { failure.localizedDescription }

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Simorgh

// Uses each part, so that the linker drops none of them: the client, the engine, a publisher.
let client = APIClient(baseURL: "http://127.0.0.1:1")
do {
    try await client.call(.get, "nothing").void()
    print("linkage: port 1 answered")
} catch {
    print("linkage: \(error)")
}
_ = client.call(.get, "nothing").publisher().sink(receiveCompletion: { _ in }, receiveValue: { _ in })

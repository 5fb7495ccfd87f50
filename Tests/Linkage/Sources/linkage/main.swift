// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Simorgh

// Uses each part, so that nothing is left out of the link: the client, the engine, a publisher.
let client = APIClient(baseURL: "http://127.0.0.1:1")
do {
    try await client.call(.get, "nothing").void()
    print("linkage: something answered on port 1")
} catch {
    print("linkage: \(error)")
}
_ = client.call(.get, "nothing").publisher().sink(receiveCompletion: { _ in }, receiveValue: { _ in })

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghTesting
import TestSupport

extension StubServer {
    /// Responds to every request.
    func answer(_ response: StubResponse) { on(where: { _ in true }) { _ in response } }

    /// Responds to every request with the next of several responses, and to all others with 500.
    func answer(inOrder responses: [StubResponse]) {
        let count = Counter()
        on(where: { _ in true }) { _ in
            let index = count.next() - 1
            return responses.indices.contains(index) ? responses[index] : .status(.internalServerError)
        }
    }
}

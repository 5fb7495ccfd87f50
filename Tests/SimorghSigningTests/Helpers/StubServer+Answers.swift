// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghTesting

extension StubServer {
    /// Responds to every request.
    func answer(_ response: StubResponse) { _ = add(.any, response: response) }

    /// Responds to every request with the next of several responses.
    func answer(inOrder responses: [StubResponse]) { _ = add(.any, inOrder: responses) }
}

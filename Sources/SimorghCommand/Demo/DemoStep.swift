// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
/// One step of the demonstration: what it shows, the code, and the code again as it runs.
///
/// ``code`` is the text between the step's markers in this folder's sources, word for word; a test holds them together.
package struct DemoStep: Sendable {
    /// The name in the markers `demo: NAME` and `demo: end`.
    package let name: String
    /// What it shows.
    package let title: String
    /// The lines of Swift that do it.
    package let code: String
    /// Does it.
    let run: @Sendable (DemoStage) async throws -> Void

    init(_ name: String, _ title: String, code: String, run: @escaping @Sendable (DemoStage) async throws -> Void) {
        self.name = name
        self.title = title
        self.code = code
        self.run = run
    }

    /// All steps, in the order in which they are shown.
    package static let all: [DemoStep] = [
        .typedGet, .post, .query, .form, .keyPath, .stream, .timeout, .typedFailure, .cancellation, .events, .webSocket,
        .subscription, .upload, .download, .cache, .network,
    ]
}
#endif

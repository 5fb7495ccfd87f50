// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
/// One step of the demonstration: its title, the code to show, and the code to run.
///
/// ``code`` is the text between the step's markers in this folder's sources; a test compares them.
package struct DemoStep: Sendable {
    /// The name in the markers `demo: NAME` and `demo: end`.
    package let name: String
    /// The title of the step.
    package let title: String
    /// The Swift code to show.
    package let code: String
    /// Runs the step.
    let run: @Sendable (DemoEnvironment) async throws -> Void

    init(
        _ name: String, title: String, code: String, run: @escaping @Sendable (DemoEnvironment) async throws -> Void
    ) {
        self.name = name
        self.title = title
        self.code = code
        self.run = run
    }

    /// All steps in order.
    package static let all: [DemoStep] = [
        .typedGet, .post, .query, .form, .keyPath, .stream, .timeout, .typedFailure, .cancellation, .events, .webSocket,
        .subscription, .upload, .download, .cache, .network,
    ]
}
#endif

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension TransportRequest {
    /// The request as a command for curl, to be pasted into a POSIX shell: what a colleague, or a server's own people, can run.
    ///
    /// What says nothing of the request is left out: `Content-Length`, limits of time, the way and the trust of the
    /// connection. A body in memory stands in the command; one that is read as it is sent, one of more than 64 KiB and, as
    /// long as secrets are hidden, one that is no text, is taken from the file `body.bin`.
    ///
    /// - Parameters:
    ///   - rules: What is hidden; credentials and the like by default, so that the command must be completed before it runs.
    ///   - prettyPrinted: Whether each option has a line of its own; off by default.
    /// - Returns: The command.
    public func cURL(showing rules: RedactionRules = .standard, prettyPrinted: Bool = false) -> String {
        CurlText(self, showing: rules).text(isPretty: prettyPrinted)
    }
}

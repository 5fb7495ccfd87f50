// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension TransportRequest {
    /// Returns the request as a curl command for a POSIX shell, which a colleague or the server's operators can run.
    ///
    /// It omits `Content-Length` and the settings of the connection: timeouts, route and trust. A body in memory is
    /// part of the command. A streamed body, a body of more than 64 KiB and, unless redaction is off, a body that is
    /// not text are read from the file `body.bin`.
    ///
    /// - Parameters:
    ///   - rules: The redaction rules. By default credentials are redacted, and must be filled in before the command
    ///     runs.
    ///   - prettyPrinted: True to put each option on its own line. Default: false.
    /// - Returns: The command.
    public func cURL(showing rules: RedactionRules = .standard, prettyPrinted: Bool = false) -> String {
        CurlText(self, showing: rules).text(isPretty: prettyPrinted)
    }
}

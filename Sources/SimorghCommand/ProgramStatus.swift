// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
/// What the command says to the shell when it ends: one number for each class of outcome.
package enum ProgramStatus: Int32, CaseIterable, Sendable {
    /// It worked; for a request, the server answered with a status from 200 to 299.
    case success = 0
    /// Anything that has no number of its own.
    case failure = 1
    /// The arguments, or the request they describe, are not valid; nothing was sent.
    case usage = 2
    /// The server answered with a status from 300 to 399.
    case redirected = 3
    /// The server answered with a status from 400 to 499.
    case clientError = 4
    /// The server answered with a status of 500 or more.
    case serverError = 5
    /// The name was not found, or no connection could be made.
    case connection = 6
    /// TLS failed: the handshake, or the certificate.
    case tls = 7
    /// A time limit passed.
    case timeout = 8
    /// The answer broke off, or is not valid HTTP.
    case brokenResponse = 9
    /// The output could not be written: a file, a full disk, a binary body on a terminal.
    case output = 10
    /// SIGINT came, by Ctrl-C for instance.
    case interrupted = 130
    /// Whoever read the output went away.
    case brokenPipe = 141
    /// SIGTERM came.
    case terminated = 143

    /// What a status line stands for.
    ///
    /// - Parameter status: The status code of a response.
    package init(status: Int) {
        self =
            switch status {
            case ..<300: .success
            case 300..<400: .redirected
            case 400..<500: .clientError
            default: .serverError
            }
    }

    /// A few words for the help.
    package var meaning: String {
        switch self {
        case .success: "success: a status of 2xx"
        case .failure: "something else failed"
        case .usage: "bad arguments, or a request that cannot be sent"
        case .redirected: "the server answered 3xx"
        case .clientError: "the server answered 4xx"
        case .serverError: "the server answered 5xx"
        case .connection: "no such name, or no connection"
        case .tls: "TLS: the handshake or the certificate"
        case .timeout: "a time limit passed"
        case .brokenResponse: "the answer broke off or is not HTTP"
        case .output: "the output could not be written"
        case .interrupted: "interrupted (Ctrl-C)"
        case .brokenPipe: "the reader of the output went away"
        case .terminated: "terminated"
        }
    }

    /// Where the table is, for the help of a subcommand.
    package static let pointer = "The exit status tells the classes of failure apart: see simorgh --help."

    /// The table for the help.
    package static let help: String =
        (["EXIT STATUS:"]
        + allCases.map { status in
            let number = String(status.rawValue)
            return "  " + String(repeating: " ", count: 3 - number.count) + number + "  " + status.meaning
        }).joined(separator: "\n")
}
#endif

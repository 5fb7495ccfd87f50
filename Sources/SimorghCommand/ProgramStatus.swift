// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
/// The exit status of the command: one number for each kind of outcome.
package enum ProgramStatus: Int32, CaseIterable, Sendable {
    /// The command succeeded; for a request, the response status is 200 to 299.
    case success = 0
    /// A failure without a number of its own.
    case failure = 1
    /// The arguments, or the request that they describe, are invalid; nothing was sent.
    case usage = 2
    /// The response status is 300 to 399.
    case redirected = 3
    /// The response status is 400 to 499.
    case clientError = 4
    /// The response status is 500 or more.
    case serverError = 5
    /// The host name was not found, or no connection could be opened.
    case connection = 6
    /// The TLS handshake or the certificate verification failed.
    case tls = 7
    /// A timeout expired.
    case timeout = 8
    /// The response is incomplete, or is not valid HTTP.
    case brokenResponse = 9
    /// The output could not be written: a file, a full disk, a binary body on a terminal.
    case output = 10
    /// The process received SIGINT, for example by Ctrl-C.
    case interrupted = 130
    /// The reader of the output closed the pipe.
    case brokenPipe = 141
    /// The process received SIGTERM.
    case terminated = 143

    /// Creates the exit status for a response.
    ///
    /// - Parameter status: The status code of the response.
    package init(status: Int) {
        self =
            switch status {
            case ..<300: .success
            case 300..<400: .redirected
            case 400..<500: .clientError
            default: .serverError
            }
    }

    /// The description for the help.
    package var meaning: String {
        switch self {
        case .success: "success: a status of 2xx"
        case .failure: "something else failed"
        case .usage: "bad arguments, or a request that cannot be sent"
        case .redirected: "the server answered 3xx"
        case .clientError: "the server answered 4xx"
        case .serverError: "the server answered 5xx"
        case .connection: "host not found, or no connection"
        case .tls: "TLS: the handshake or the certificate"
        case .timeout: "a timeout expired"
        case .brokenResponse: "the response is incomplete or is not HTTP"
        case .output: "the output could not be written"
        case .interrupted: "interrupted (Ctrl-C)"
        case .brokenPipe: "the reader closed the output"
        case .terminated: "terminated"
        }
    }

    /// The reference to the table, for the help of a subcommand.
    package static let pointer = "The exit status identifies the kind of failure: see simorgh --help."

    /// The table for the help.
    package static let help: String =
        (["EXIT STATUS:"]
        + allCases.map { status in
            let number = String(status.rawValue)
            return "  " + String(repeating: " ", count: 3 - number.count) + number + "  " + status.meaning
        }).joined(separator: "\n")
}
#endif

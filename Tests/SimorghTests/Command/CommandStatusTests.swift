// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghCommand
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CommandStatusTests {
    @Test("The help lists each exit status with its meaning", arguments: ProgramStatus.allCases)
    func help(status: ProgramStatus) {
        #expect(
            ProgramStatus.help.split(separator: "\n").contains { $0.hasSuffix("\(status.rawValue)  \(status.meaning)") }
        )
    }

    @Test("Exit statuses keep the numbers that scripts rely on")
    func numbers() {
        #expect(ProgramStatus.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 130, 141, 143])
    }

    @Test(
        "An HTTP status maps to the exit status of its class",
        arguments: [
            (200, ProgramStatus.success), (204, .success), (299, .success), (300, .redirected), (304, .redirected),
            (399, .redirected), (400, .clientError), (499, .clientError), (500, .serverError), (599, .serverError),
            (999, .serverError),
        ])
    func statuses(code: Int, status: ProgramStatus) {
        #expect(ProgramStatus(status: code) == status)
    }

    private static let failures: [(TransportError.Code, TransportError.Phase, ProgramStatus)] = [
        (.cannotFindHost, .connect, .connection),
        (.dnsLookupFailed, .connect, .connection), (.cannotConnectToHost, .connect, .connection),
        (.notConnectedToInternet, .connect, .connection), (.networkConnectionLost, .connect, .connection),
        (.secureConnectionFailed, .tls, .tls), (.serverCertificateHasBadDate, .tls, .tls),
        (.serverCertificateUntrusted, .tls, .tls), (.clientCertificateRequired, .tls, .tls),
        (.networkConnectionLost, .tls, .connection), (.unknown, .tls, .tls),
        (.timedOut, .queue, .timeout), (.timedOut, .tls, .timeout), (.timedOut, .total, .timeout),
        (.networkConnectionLost, .head, .brokenResponse), (.networkConnectionLost, .body, .brokenResponse),
        (.badServerResponse, .head, .brokenResponse), (.cannotParseResponse, .head, .brokenResponse),
        (.cannotDecodeContentData, .body, .brokenResponse), (.dataLengthExceedsMaximum, .head, .brokenResponse),
        (.unsupportedURL, .total, .usage), (.resourceUnavailable, .queue, .failure), (.unknown, .total, .failure),
    ]

    @Test("A transport error maps to the exit status of its class", arguments: failures)
    func transport(code: TransportError.Code, phase: TransportError.Phase, status: ProgramStatus) {
        #expect(ProgramStatus(.urlError(TransportError(code, phase: phase, message: ""))) == status)
    }

    @Test(
        "A timeout error names the option that sets the limit, for responses and for streams",
        arguments: [
            (TransportError.Phase.head, "the head phase took longer than 60 seconds; --timeout sets another limit"),
            (.body, "the body phase took longer than 60 seconds; --timeout sets another limit"),
            (.total, "the total phase took longer than 60 seconds (--timeout)"),
        ])
    func limit(phase: TransportError.Phase, message: String) {
        let error = TransportError.timedOut(phase, after: .seconds(60), requestMayHaveBeenSent: true)
        let failure = CommandError(NetworkError.urlError(error))
        #expect(failure.status == .timeout)
        #expect(failure.message?.contains(message) == true, "\(failure.message ?? "")")
        #expect(failure.message?.contains("timeouts.") == false)
    }

    @Test("An invalid request is a usage error, and a cancelled request is interrupted")
    func others() async throws {
        let client = APIClient()
        let invalid = await #expect(throws: NetworkError.self) { try await client.call(.get, "nowhere").void() }
        #expect(invalid.map { ProgramStatus($0) } == .usage)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await client.call(.get, "http://127.0.0.1:1/").void()
        }
        let cancelled = await #expect(throws: NetworkError.self) { try await task.value }
        #expect(cancelled.map { ProgramStatus($0) } == .interrupted)
    }
}
#endif

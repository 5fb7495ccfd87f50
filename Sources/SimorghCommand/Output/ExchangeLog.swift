// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghSupport
import SwiftASN1
import X509

/// The output of `--verbose` on standard error: both heads as sent, the timings and the connection, without
/// credentials.
struct ExchangeLog: Sendable {
    let output: ConsoleQueue

    /// Shows a request before it is sent, including the header fields that the engine adds.
    func show(_ request: TransportRequest) async { await note("> ", lines: Self.lines(of: request) + [""]) }

    /// Shows the head of the response to a request.
    func show(_ response: TransportResponse, to request: TransportRequest) async {
        let version = RecordedExchange.version(of: response.connection?.applicationProtocol)
        let redactor = Redactor(.standard, request: request).adding(response.head)
        let (status, fields) = (response.head.status.code, response.head.headerFields)
        let lines = Self.lines(of: status, fields: fields, version: version, by: redactor)
        await note("< ", lines: lines + [""])
    }

    /// Shows the connection of a response, and the TLS parameters if it was opened for this request.
    func showConnection(of response: TransportResponse) async {
        guard let connection = response.connection else { return }
        await note("* ", lines: Self.lines(of: connection, isReused: response.timings.isReusedConnection))
    }

    /// Shows the connection, the byte counts and the timings of an attempt that failed without a response.
    func show(_ error: TransportError) async {
        guard let timings = error.timings else { return }
        var lines: [String] = []
        if let connection = error.connection {
            lines = Self.lines(of: connection, isReused: timings.isReusedConnection)
            lines.append("sent \(timings.sentBytes) bytes, received \(timings.receivedBytes) bytes")
        } else {
            lines.append("no connection")
        }
        lines.append(Self.line(of: timings, body: timings.body, total: timings.total))
        await note("* ", lines: lines)
    }

    private static func lines(of connection: ConnectionInfo, isReused: Bool) -> [String] {
        let age = isReused ? "reused" : "new"
        let ends = "\(connection.localAddress ?? "this machine") to \(connection.remoteAddress ?? "the server")"
        let proxy = connection.proxy.map { " through \($0)" } ?? ""
        var lines = [
            DisplayText.oneLine(
                "connection #\(connection.id), \(age), \(connection.applicationProtocol), \(ends)\(proxy)")
        ]
        guard let tls = connection.tls, !isReused else { return lines }
        lines.append("tls \(DisplayText.oneLine(tls.description))")
        for (index, (certificate, pin)) in zip(tls.certificates, tls.pins).enumerated() {
            lines.append("certificate \(index): \(DisplayText.oneLine(CertificateText.of(certificate)))")
            lines.append("  pin \(pin)")
        }
        return lines
    }

    /// Shows the bytes sent and received, and the number of times the transport sent the request.
    ///
    /// - Parameters:
    ///   - response: The response; its counts are those of the connection, with heads and framing.
    ///   - body: The number of bytes of the body, after decoding.
    func showBytes(_ response: StreamingResponse, body: Int) async {
        let timings = response.finalTimings ?? response.timings
        var lines = ["sent \(timings.sentBytes) bytes, received \(timings.receivedBytes) bytes (body: \(body))"]
        if timings.transmissions > 1 { lines.append("sent \(timings.transmissions) times by the transport") }
        await note("* ", lines: lines)
    }

    /// Shows the response's last `Cache-Status` value, which the cache added.
    func showCache(_ response: StreamingResponse) async {
        guard let name = HTTPField.Name("Cache-Status"), let value = response.headers[values: name].last else {
            return
        }
        await note("* ", lines: ["cache \(DisplayText.oneLine(value))"])
    }

    /// Shows the duration of each phase.
    func showTimings(_ response: StreamingResponse, body: Duration, total: Duration) async {
        await note("* ", lines: [Self.line(of: response.timings, body: body, total: total)])
    }

    private static func line(of timings: ExchangeTimings, body: Duration?, total: Duration?) -> String {
        let phases: [(String, Duration?)] = [
            ("queue", timings.queue), ("dns", timings.dns), ("connect", timings.connect), ("tls", timings.tls),
            ("request", timings.request), ("first byte", timings.firstByte), ("body", body), ("total", total),
        ]
        return phases.map { "\($0) \(DisplayText.milliseconds($1))" }.joined(separator: ", ")
    }

    static func lines(of request: TransportRequest) -> [String] {
        let head = request.head
        let fields = head.headerFields
        let redactor = Redactor(.standard, request: request)
        let target = redactor.url(head.path ?? "/")
        let host = fields.first { $0.name.canonicalName == "host" }
        var lines = [
            DisplayText.oneLine("\(head.method.rawValue) \(target)\(version(of: request))"),
            DisplayText.oneLine("Host: \(host.map(redactor.field) ?? head.authority ?? "")"),
        ]
        lines += fields.filter { $0.name.canonicalName != "host" && $0.name != .contentLength }.map {
            line($0, redactor: redactor)
        }
        if request.options.decompresses, !fields.contains(.acceptEncoding), !fields.contains(.range) {
            lines.append("Accept-Encoding: \(KnownCoding.accepted)")
        }
        if let length = request.body.isEmpty ? nil : request.body.length {
            lines.append("Content-Length: \(length)")
        } else if !request.body.isEmpty, version(of: request) == " HTTP/1.1" {
            lines.append("Transfer-Encoding: chunked")
        } else if [.post, .put, .patch].contains(head.method) {
            lines.append("Content-Length: 0")
        }
        return lines
    }

    static func lines(
        of status: Int, fields: HTTPFields, version: String = "HTTP/1.1",
        by redactor: Redactor = Redactor(.standard)
    ) -> [String] {
        ["\(version) \(StatusText.of(status))"] + fields.map { line($0, redactor: redactor) }
    }

    /// Returns the HTTP version of the request with a space before it; empty if the server has a say in it.
    private static func version(of request: TransportRequest) -> String {
        switch request.options.httpVersion {
        case .automatic, .http3: request.head.scheme?.hasPrefix("https") == true ? "" : " HTTP/1.1"
        case .http1Only: " HTTP/1.1"
        case .http2Only, .http2PriorKnowledge: " HTTP/2"
        }
    }

    private static func line(_ field: HTTPField, redactor: Redactor) -> String {
        "\(field.name.rawName): \(DisplayText.oneLine(redactor.field(field)))"
    }

    private func note(_ mark: String, lines: [String]) async {
        try? await output.write { console throws(OutputError) in
            for line in lines { console.note(console.errorPalette.styled(mark, as: .faint) + line) }
        }
    }
}

/// Formats a certificate on one line: subject, issuer and validity.
private enum CertificateText {
    static func of(_ der: Data) -> String {
        do {
            let certificate = try Certificate(derEncoded: Array(der))
            let days = "\(day(certificate.notValidBefore)) to \(day(certificate.notValidAfter))"
            let subject = certificate.subject.isEmpty ? "no subject" : "\(certificate.subject)"
            return "\(subject), issued by \(certificate.issuer), \(days)"
        } catch {
            return "\(der.count) bytes that cannot be read"
        }
    }

    private static func day(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day())
    }
}
#endif

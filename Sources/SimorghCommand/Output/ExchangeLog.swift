// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Simorgh

/// What `--verbose` shows on standard error: both heads as on the wire, the times, the connection; no credential.
struct ExchangeLog: Sendable {
    let console: Console

    /// Shows a request before it is sent, with the fields that the engine adds.
    func show(_ request: TransportRequest) {
        for line in Self.lines(of: request) { note("> ", line) }
        note("> ", "")
    }

    /// Shows the head of the response to a request.
    func show(_ response: TransportResponse, to request: TransportRequest) {
        let version = response.connection.map { Self.version(of: $0.applicationProtocol) } ?? "HTTP/1.1"
        let redactor = Redactor(.standard, request).adding(response.head)
        let (status, fields) = (response.head.status.code, response.head.headerFields)
        for line in Self.lines(of: status, fields, version, by: redactor) { note("< ", line) }
        note("< ", "")
    }

    /// Shows the connection that carried a response, and what TLS agreed on when it was opened.
    func showConnection(of response: TransportResponse) {
        if let connection = response.connection { show(connection, isReused: response.timings.isReusedConnection) }
    }

    /// Shows how far an attempt came that has no answer: its connection, its bytes, the time of each phase.
    func show(_ error: TransportError) {
        guard let timings = error.timings else { return }
        if let connection = error.connection {
            show(connection, isReused: timings.isReusedConnection)
            note("* ", "sent \(timings.sentBytes) bytes, received \(timings.receivedBytes)")
        } else {
            note("* ", "no connection")
        }
        show(timings, body: timings.body, total: timings.total)
    }

    private func show(_ connection: ConnectionInfo, isReused: Bool) {
        let age = isReused ? "used again" : "new"
        let ends = "\(connection.localAddress ?? "this machine") to \(connection.remoteAddress ?? "the server")"
        let way = connection.proxy.map { " through \($0)" } ?? ""
        note(
            "* ",
            DisplayText.oneLine(
                "connection #\(connection.id), \(age), \(connection.applicationProtocol), \(ends)\(way)"))
        guard let tls = connection.tls, !isReused else { return }
        note("* ", "tls \(DisplayText.oneLine(tls.description))")
        for (index, (certificate, pin)) in zip(tls.certificates, tls.pins).enumerated() {
            note("* ", "certificate \(index): \(DisplayText.oneLine(CertificateText.of(certificate)))")
            note("* ", "  pin \(pin)")
        }
    }

    /// Shows how many bytes went each way, and how often the request was sent for one answer.
    func showBytes(_ response: StreamingResponse, body: Int) {
        let timings = response.finalTimings ?? response.timings
        note("* ", "sent \(timings.sentBytes) bytes, received \(timings.receivedBytes), for \(body) of body")
        if timings.rides > 1 { note("* ", "sent \(timings.rides) times by the transport") }
    }

    /// Shows what the cache did, as it says itself.
    func showCache(_ response: StreamingResponse) {
        guard let name = HTTPField.Name("Cache-Status"), let said = response.headers[values: name].last else { return }
        note("* ", "cache \(DisplayText.oneLine(said))")
    }

    /// Shows how long each phase took.
    func showTimings(_ response: StreamingResponse, body: Duration, total: Duration) {
        show(response.timings, body: body, total: total)
    }

    private func show(_ timings: ExchangeTimings, body: Duration?, total: Duration?) {
        let phases: [(String, Duration?)] = [
            ("queue", timings.queue), ("dns", timings.dns), ("connect", timings.connect), ("tls", timings.tls),
            ("request", timings.request), ("first byte", timings.firstByte), ("body", body), ("total", total),
        ]
        note("* ", phases.map { "\($0) \(DisplayText.milliseconds($1))" }.joined(separator: ", "))
    }

    static func lines(of request: TransportRequest) -> [String] {
        let head = request.head
        let fields = head.headerFields
        let redactor = Redactor(.standard, request)
        let target = redactor.url(head.path ?? "/")
        var lines = [
            DisplayText.oneLine("\(head.method.rawValue) \(target)\(version(of: request))"),
            DisplayText.oneLine("Host: \(head.authority ?? "")"),
        ]
        lines += fields.filter { $0.name.canonicalName != "host" && $0.name != .contentLength }.map {
            line($0, redactor)
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
        of status: Int, _ fields: HTTPFields, _ version: String = "HTTP/1.1",
        by redactor: Redactor = Redactor(.standard)
    ) -> [String] {
        ["\(version) \(StatusText.of(status))"] + fields.map { line($0, redactor) }
    }

    /// The version that a request will be sent in, with a blank before it; nothing where the server has a say in it.
    private static func version(of request: TransportRequest) -> String {
        switch request.options.httpVersion {
        case .automatic: request.head.scheme?.hasPrefix("https") == true ? "" : " HTTP/1.1"
        case .http1Only: " HTTP/1.1"
        case .http2Only, .http2PriorKnowledge: " HTTP/2"
        }
    }

    private static func version(of applicationProtocol: String) -> String {
        applicationProtocol.hasPrefix("h2") ? "HTTP/2" : "HTTP/1.1"
    }

    private static func line(_ field: HTTPField, _ redactor: Redactor) -> String {
        "\(field.name.rawName): \(DisplayText.oneLine(redactor.field(field)))"
    }

    private func note(_ mark: String, _ line: String) {
        console.note(console.errorPalette.styled(mark, .faint) + line)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension LogFormat {
    static func time(_ entry: LogEntry) -> String {
        entry.date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    static func line(_ entry: LogEntry) -> String {
        var parts = ["\(entry.message)"]
        if let status = entry.status { parts.append("\(status)") }
        if let method = entry.method { parts.append(LogText.oneLine(method)) }
        if let url = entry.url { parts.append(LogText.oneLine(url)) }
        if let call = entry.call { parts.append("call=\(call)") }
        if let attempt = entry.attempt { parts.append("attempt=\(attempt)") }
        parts += entry.facts.map { "\($0.name)=\(LogText.value($0.value))" }
        if !entry.headers.isEmpty {
            let headers = entry.headers.map { "\($0.name): \($0.value)" }.joined(separator: "; ")
            parts.append("headers=\(LogText.quoted(headers))")
        }
        if let body = entry.body { parts.append("body=\(LogText.quoted(body.text))") }
        return parts.joined(separator: " ")
    }

    static func tree(_ entry: LogEntry) -> String {
        var title = "[\("\(entry.message)".uppercased())]"
        if let status = entry.status {
            title += " \(status)"
        } else if let method = entry.method {
            title += " \(method)"
        }
        if let url = entry.url { title += " \(url)" }
        var lines = [LogText.oneLine(title)]
        for fact in entry.facts { lines.append("├─ \(fact.name): \(LogText.oneLine(fact.value))") }
        if !entry.headers.isEmpty {
            lines.append("├─ Headers")
            lines += entry.headers.map { "│ \(LogText.oneLine("\($0.name): \($0.value)"))" }
        }
        if let body = entry.body {
            lines.append("├─ Content")
            lines += body.lines.map { " \(LogText.oneLine($0))" }
            if case .text(_, _, let more) = body, more > 0 { lines.append(" … and \(more) bytes more") }
        }
        return lines.joined(separator: "\n")
    }

    static func json(_ entry: LogEntry) -> String {
        var members = [member("time", value: time(entry)), member("event", value: "\(entry.message)")]
        if entry.severity == .failure { members.append(#""failed":true"#) }
        if let call = entry.call { members.append("\"call\":\(call)") }
        if let attempt = entry.attempt { members.append("\"attempt\":\(attempt)") }
        if let method = entry.method { members.append(member("method", value: method)) }
        if let url = entry.url { members.append(member("url", value: url)) }
        if let status = entry.status { members.append("\"status\":\(status)") }
        members += entry.facts.map { member($0.name, value: $0.value) }
        if !entry.headers.isEmpty {
            // An array, since a field can occur twice.
            let fields = entry.headers.map { "[\(LogText.json($0.name)),\(LogText.json($0.value))]" }
            members.append("\"headers\":[\(fields.joined(separator: ","))]")
        }
        if let body = entry.body { members.append(member("body", value: body.text)) }
        return "{\(members.joined(separator: ","))}"
    }

    private static func member(_ name: String, value: String) -> String {
        "\(LogText.json(name)):\(LogText.json(value))"
    }
}

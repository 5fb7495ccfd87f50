// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCompatibility
import SimorghCore
import TestSupport

/// All outputs that describe a client's calls, each recorded as text.
struct Witnesses {
    /// The output of a text destination, and of a logger with its metadata.
    let box = LogBox()
    let system = LogBox()
    let told = LockedValue<[NetworkEvent]>([])
    let commands = LockedValue<[String]>([])
    let recorder: HARRecorder
    let rules: RedactionRules

    init(_ rules: RedactionRules = .standard) {
        self.rules = rules
        recorder = HARRecorder(redaction: rules)
    }

    /// Attaches all outputs to a configuration.
    func watch(_ configuration: inout APIClient.Configuration, _ level: LogLevel, _ format: LogFormat) {
        configuration.logging.level = level
        configuration.logging.logger = NetworkLogger([box.destination(format), .logger(system.logger)])
        configuration.logging.redaction = rules
        configuration.logging.onEvent = { [told] event in told.change { $0.append(event) } }
        configuration.networkInterceptors = [
            recorder.interceptor,
            Interceptor { [commands, rules] request, next in
                commands.change { $0.append(request.cURL(showing: rules)) }
                return try await next(request)
            },
        ]
    }

    /// Returns the recorded text of each output, by its name.
    func statements() throws -> [(name: String, text: String)] {
        var events = ""
        dump(told.value, to: &events)
        return [
            ("the log", box.all), ("the logger", system.all), ("the events", events + "\(told.value)"),
            ("the HAR file", String(decoding: try recorder.export(), as: UTF8.self)),
            ("the command for curl", commands.value.joined(separator: "\n")),
        ]
    }

    /// Returns the secrets that appear, each with the name of the output.
    func leaks(_ secrets: [String]) throws -> [String] {
        try statements().flatMap { statement in
            secrets.filter { statement.text.contains($0) }.map { "\(statement.name): \($0)" }
        }
    }
}

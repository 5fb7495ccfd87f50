// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
import SimorghSupport

/// The log entries of the logging plugins; an entry is only built if its option is set.
package struct CallLog: Sendable {
    private let options: Plugins.Log.Options
    private let destination: LogDestination
    private let rules: RedactionRules

    package init(options: Plugins.Log.Options, to destination: LogDestination, hiding rules: RedactionRules) {
        self.options = options
        self.destination = destination
        self.rules = rules
    }

    package func willSend(_ request: TransportRequest) {
        guard options.contains(.willSend) else { return }
        write("request", of: request) { entry, redactor in
            if options.contains(.headers) { entry.headers = redactor.fields(request.head.headerFields) }
        }
    }

    package func didReceive(_ response: TransportResponse, to request: TransportRequest) {
        guard options.contains(.didReceive) else { return }
        write("response", of: request) { entry, redactor in
            entry.status = response.head.status.code
            if options.contains(.headers) { entry.headers = redactor.fields(response.head.headerFields) }
        }
    }

    package func didFinish(_ outcome: Result<TransportResponse, any Error>, of request: TransportRequest) {
        guard options.contains(.didFinish) else { return }
        switch outcome {
        case .success(let response):
            write("finished", of: request) { entry, _ in entry.status = response.head.status.code }
        case .failure(let error):
            write("failed", of: request) { entry, redactor in
                entry.severity = .failure
                let text = (error as? NetworkError)?.shortDescription ?? "\(error)"
                entry.facts.append(("error", redactor.text(text)))
            }
        }
    }

    package func wasCancelled(_ request: TransportRequest) {
        guard options.contains(.didFinish) else { return }
        write("cancelled", of: request) { _, _ in }
    }

    private func write(
        _ message: StaticString, of request: TransportRequest, fill: (inout LogEntry, Redactor) -> Void
    ) {
        let redactor = Redactor(rules, request: request)
        var entry = LogEntry(message, at: request.options.call?.time.now ?? TimeSource.system.now)
        entry.call = request.options.call?.id.rawValue
        entry.method = request.head.method.rawValue
        entry.url = RedactedURL.withoutQuery(redactor.url(request.urlString), by: rules)
        fill(&entry, redactor)
        destination.write(entry)
    }
}

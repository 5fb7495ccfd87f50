// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import Logging

/// What the logging plugins say, made only for those who asked for it.
package struct CallLog: Sendable {
    /// One thing to say: a message that never changes, and what belongs to this call.
    package struct Entry: Sendable {
        package let message: StaticString
        package let metadata: Logger.Metadata
        package let isFailure: Bool
    }

    private let options: Plugins.Log.Options
    private let write: @Sendable (Entry) -> Void

    package init(options: Plugins.Log.Options, write: @escaping @Sendable (Entry) -> Void) {
        self.options = options
        self.write = write
    }

    package func willSend(_ request: TransportRequest) {
        guard options.contains(.willSend) else { return }
        write("request", of: request, headers: request.head.headerFields)
    }

    package func didReceive(_ response: TransportResponse, to request: TransportRequest) {
        guard options.contains(.didReceive) else { return }
        write(
            "response", of: request, ["status": "\(response.head.status.code)"], headers: response.head.headerFields)
    }

    package func didFinish(_ outcome: Result<TransportResponse, any Error>, of request: TransportRequest) {
        guard options.contains(.didFinish) else { return }
        switch outcome {
        case .success(let response):
            write("finished", of: request, ["status": "\(response.head.status.code)"])
        case .failure(let error):
            write("failed", of: request, ["error": "\(error)"], isFailure: true)
        }
    }

    package func wasCancelled(_ request: TransportRequest) {
        guard options.contains(.didFinish) else { return }
        write("cancelled", of: request)
    }

    private func write(
        _ message: StaticString, of request: TransportRequest, _ more: Logger.Metadata = [:],
        headers: HTTPFields = [:], isFailure: Bool = false
    ) {
        var metadata = more
        metadata["method"] = "\(request.head.method.rawValue)"
        metadata["url"] = "\(ShownURL.withoutQuery(request.urlString))"
        if let call = request.options.call { metadata["call"] = "\(call.id)" }
        if options.contains(.headers), !headers.isEmpty {
            let marked = request.options.userInfo[CredentialFields.self]
            metadata["headers"] = .dictionary(
                Dictionary(headers.map { ($0.name.rawName, "\(Redaction.shown($0, marked: marked))") }) {
                    "\($0), \($1)"
                })
        }
        write(Entry(message: message, metadata: metadata, isFailure: isFailure))
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghDownloads
import SimorghTesting
import Synchronization

/// A tus server in memory, behind a stub transport, with scripted faults.
final class FakeTus: Sendable {
    /// A fault that replaces the regular handling of a request.
    enum Fault: Sendable {
        case status(Int, [String: String] = [:])
        /// Stores that many bytes of the body, then drops the connection.
        case lost(after: Int)
        /// Handles the request, and runs the closure before it responds.
        case meanwhile(@Sendable () -> Void)
        /// Responds with another Location.
        case location(String)
        /// Reports that Upload-Offset.
        case offset(String)
    }

    struct State {
        var uploads: [String: (length: Int, data: Data)] = [:]
        var faults: [(method: String, fault: Fault)] = []
        var log: [String] = []
        var count = 0
        var checksums: [String] = []
        var metadata: String?
    }

    let state = Mutex(State())

    var log: [String] { state.withLock { $0.log } }
    var contents: [Data] { state.withLock { $0.uploads.sorted { $0.key < $1.key }.map(\.value.data) } }

    /// Makes the next request with the method fail.
    func fail(_ method: String, _ fault: Fault) { state.withLock { $0.faults.append((method, fault)) } }

    var transport: StubServer { StubServer { [self] request in try answer(request) } }

    func answer(_ request: RecordedRequest) throws -> StubResponse {
        func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { request.head.headerFields[$0] } }
        func response(_ status: Int, _ fields: [String: String] = [:]) -> StubResponse {
            var headers = HTTPFields()
            for (name, value) in fields { HTTPField.Name(name).map { headers[$0] = value } }
            return StubResponse(status: HTTPResponse.Status(code: status), headerFields: headers)
        }
        let method = request.method.rawValue
        let fault = state.withLock { state -> Fault? in
            state.log.append("\(method) \(field("Upload-Offset") ?? "-") \(request.body.count)")
            guard let index = state.faults.firstIndex(where: { $0.method == method }) else { return nil }
            return state.faults.remove(at: index).fault
        }
        guard field("Tus-Resumable") == "1.0.0" else { return response(412) }
        if case .status(let status, let fields) = fault { return response(status, fields) }
        if case .meanwhile(let work) = fault { work() }
        var body = request.body
        if case .lost(let count) = fault { body = body.prefix(count) }
        var location: String?
        if case .location(let other) = fault { location = other }
        var told: String?
        if case .offset(let offset) = fault { told = offset }
        let answer = state.withLock { state -> StubResponse in
            switch method {
            case "POST":
                state.count += 1
                state.metadata = field("Upload-Metadata")
                let path = "/files/\(state.count)"
                state.uploads[path] = (Int(field("Upload-Length") ?? "") ?? -1, body)
                return response(201, ["Location": location ?? path, "Upload-Offset": told ?? "\(body.count)"])
            case "DELETE": return response(state.uploads.removeValue(forKey: request.path) == nil ? 404 : 204)
            default:
                guard let upload = state.uploads[request.path] else { return response(404) }
                if method == "HEAD" {
                    return response(
                        200, ["Upload-Offset": told ?? "\(upload.data.count)", "Upload-Length": "\(upload.length)"])
                }
                guard field("Upload-Offset") == "\(upload.data.count)" else { return response(409) }
                if let checksum = field("Upload-Checksum") { state.checksums.append(checksum) }
                state.uploads[request.path]?.data.append(body)
                return response(204, ["Upload-Offset": told ?? "\(upload.data.count + body.count)"])
            }
        }
        if case .lost = fault {
            throw TransportError(.networkConnectionLost, phase: .request, message: "lost", requestMayHaveBeenSent: true)
        }
        return answer
    }
}

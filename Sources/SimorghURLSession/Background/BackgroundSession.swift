// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghDownloads
import SimorghSupport

/// A background session of the system: it transfers files while the program is suspended or does not run.
///
/// It translates only. Its events go to the function given at its creation, on the serial queue given there, and what
/// they refer to is valid until the function returns.
package protocol BackgroundSession: Sendable {
    /// Lists all tasks of the session, also those that an earlier process left.
    ///
    /// Tasks that are started after it use no connection that was judged under other TLS options.
    ///
    /// - Parameter completion: Receives the tasks, on any thread.
    func list(_ completion: @escaping @Sendable ([BackgroundSessionTask]) -> Void)

    /// Creates and resumes a task.
    ///
    /// - Parameters:
    ///   - order: The request.
    ///   - resumeData: The data of an earlier task of the same request; `nil` for a new transfer.
    /// - Returns: The number of the task.
    func start(_ order: BackgroundOrder, resumeData: Data?) -> Int

    /// Resumes a suspended task.
    func resume(_ task: Int)

    /// Cancels a task.
    func cancel(_ task: Int)

    /// Cancels a task and asks for resume data.
    ///
    /// - Parameters:
    ///   - task: The number of the task.
    ///   - completion: Receives the data, or `nil` without data, on any thread.
    func stop(_ task: Int, completion: @escaping @Sendable (Data?) -> Void)

    /// Changes the priority of a task, from 0 to 1.
    func setPriority(_ priority: Float, of task: Int)
}

/// A task of a background session.
package struct BackgroundSessionTask: Sendable {
    /// The state of a task, as the system reports it.
    package enum State: Sendable, Hashable {
        case running, suspended, completed, cancelling

        /// The order in which the tasks of one transfer are preferred.
        var rank: Int {
            switch self {
            case .running: 0
            case .suspended: 1
            case .completed: 2
            case .cancelling: 3
            }
        }
    }

    /// The number of the task, unique in its session.
    package var number: Int
    /// The transfer that it belongs to.
    package var id: UUID
    /// The URL of its request; empty if unknown.
    package var url: String
    /// The properties of its request that cannot change; `nil` if unknown.
    package var key: String?
    /// A hash of the credentials of its request; `nil` if it has none, or if they are unknown.
    package var secretKey: String?
    /// The key of the trust under which it was created; `nil` for default TLS options.
    package var trustKey: String?
    package var state: State
    package var isUpload = false
    /// The number of bytes that it had transferred when it was listed.
    package var count: Int64 = 0
    /// The number of bytes that were expected then; negative if unknown.
    package var expectedCount: Int64 = -1

    package init(number: Int, id: UUID, url: String, key: String? = nil, state: State = .running) {
        self.number = number
        self.id = id
        self.url = url
        self.key = key
        self.state = state
    }

    /// Returns true if the request of the task may have this URL.
    package func hasURL(_ url: String) -> Bool { self.url.isEmpty || self.url == url }

    /// Creates a task from the description with which it was created; `nil` if it does not belong to this library.
    package init?(number: Int, description: String?, url: String?, state: State = .running) {
        let parts = description?.split(separator: " ") ?? []
        guard let id = parts.first.flatMap({ UUID(uuidString: String($0)) }) else { return nil }
        self.init(number: number, id: id, url: url ?? "", key: parts.dropFirst().first.map(String.init), state: state)
        (secretKey, trustKey) = (Self.part(2, of: parts), Self.part(3, of: parts))
    }

    private static func part(_ index: Int, of parts: [Substring]) -> String? {
        parts.dropFirst(index).first.flatMap { $0 == BackgroundOrder.none ? nil : String($0) }
    }
}

// The number and the transfer identify a task; its state changes.
extension BackgroundSessionTask: Equatable {
    package static func == (left: BackgroundSessionTask, right: BackgroundSessionTask) -> Bool {
        left.number == right.number && left.id == right.id
    }
}

/// An event of a background session.
package enum BackgroundSessionEvent: Sendable {
    /// Bytes were received or sent; the expected number is negative if unknown.
    case progress(BackgroundSessionTask, count: Int64, expected: Int64)
    /// A downloaded file, which the system removes when the event has been handled; no response if it is not HTTP.
    case file(BackgroundSessionTask, BackgroundResponse?, path: String)
    /// Bytes of the response to an upload.
    case data(BackgroundSessionTask, Data)
    /// A task ended.
    case ended(BackgroundSessionTask, BackgroundResponse?, BackgroundSessionFailure?)
    /// All events of the time when the program did not run were delivered.
    case delivered
    /// The session ended.
    case invalidated
}

/// The error of a task, as the system reports it.
package struct BackgroundSessionFailure: Sendable, Hashable {
    /// The number in `URLError`.
    package var code: Int
    /// The number of the reason for which the system cancelled the task; `nil` if it did not.
    package var cancellation: Int?
    package var message: String
    package var resumeData: Data?
    /// The reason for which a challenge of the task was cancelled.
    package var refusal: BackgroundRefusal?

    package init(code: Int, cancellation: Int? = nil, message: String, resumeData: Data? = nil) {
        self.code = code
        self.cancellation = cancellation
        self.message = message
        self.resumeData = resumeData
    }
}

/// The request of a background task.
package struct BackgroundOrder: Sendable, Hashable {
    package var id: UUID
    package var url: String
    package var method = "GET"
    package var headers: [String: String]
    package var allowsCellularAccess = true
    package var allowsExpensiveNetworkAccess = true
    package var allowsConstrainedNetworkAccess = true
    /// In seconds.
    package var timeout = 60.0
    /// From 0 to 1.
    package var priority: Float = 0.5
    package var earliestBegin: Date?
    /// The number of bytes that the response is expected to have.
    package var expectedBytes: Int64?
    /// The file to upload; `nil` for a download.
    package var file: String?
    /// The file in a form that stays the same if the app's container moves; `nil` for its path.
    package var fileKey: String?
    /// The key of the trust of the session; `nil` for default TLS options.
    package var trustKey: String?
    /// True if the transfer continues after a restart without a request of the user.
    package var isRestored = false

    /// A missing part of a task's description.
    static let none = "-"

    package init(id: UUID, url: String, headers: [String: String] = [:]) {
        self.id = id
        self.url = url
        self.headers = headers
    }

    /// The description of the task, which survives the process: the transfer and the keys of the request.
    package var taskDescription: String {
        "\(id.uuidString) \(key) \(secretKey ?? Self.none) \(trustKey ?? Self.none)"
    }

    /// A hash of the URL, the network rules, the TLS options and the header fields without credentials.
    package var key: String {
        let known = BackgroundRequestValidation.secretFields
        return digest(of: headers.filter { !known.contains($0.key.lowercased()) })
    }

    /// A hash of the credentials; `nil` if the request has none, as after a restart.
    package var secretKey: String? {
        let known = BackgroundRequestValidation.secretFields
        let secrets = headers.filter { known.contains($0.key.lowercased()) }
        return secrets.isEmpty ? nil : digest(of: secrets)
    }

    private func digest(of headers: [String: String]) -> String {
        let fields = headers.map { "\($0.key.lowercased()): \($0.value)" }.sorted()
        let rules = [allowsCellularAccess, allowsExpensiveNetworkAccess, allowsConstrainedNetworkAccess]
        let text =
            "\(method) \(url)\n\(rules)\n\(fileKey ?? file ?? "")\n\(trustKey ?? "")\n" + fields.joined(separator: "\n")
        var hasher = FileHasher([.sha256])
        Array(text.utf8).withUnsafeBytes { hasher.update($0) }
        return Hex.encoded(hasher.digests.first?.bytes ?? [])
    }
}

/// The head of a response, as it is stored beside the body.
package struct BackgroundResponse: Sendable, Hashable, Codable {
    /// The URL that responded, after redirects.
    package var url: String
    package var status: Int
    /// Names and values.
    package var fields: [[String]]

    package init(url: String, status: Int, fields: HTTPFields) {
        self.url = url
        self.status = status
        self.fields = fields.map { [$0.name.rawName, $0.value] }
    }

    /// Creates a head; `nil` if the response is not an HTTP response.
    package init?(_ response: URLResponse) {
        guard let head = HTTPResponse(response) else { return nil }
        self.init(url: response.url?.absoluteString ?? "", status: head.status.code, fields: head.headerFields)
    }

    package var headerFields: HTTPFields {
        var result = HTTPFields()
        for field in fields where field.count == 2 {
            guard let name = HTTPField.Name(field[0]) else { continue }
            result.append(HTTPField(name: name, value: field[1]))
        }
        return result
    }
}

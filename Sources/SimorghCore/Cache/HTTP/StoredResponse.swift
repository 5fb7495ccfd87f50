// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import Synchronization

/// The metadata of a stored response.
package struct StoredResponse: Sendable, Equatable {
    /// A request field by which the server selected the response, with its value in the request.
    package struct Selector: Sendable, Equatable {
        package var name: HTTPField.Name
        /// The value in the form of ``CacheVary/normalized(_:of:)``; `nil` if the request did not have the field.
        package var value: String?

        package init(name: HTTPField.Name, value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// The properties; copies of the response share them.
    package struct Values: Sendable, Equatable {
        /// The URL of the response.
        package var url: String
        /// The partition of the response; see ``CachePartition``.
        package var partition: String
        package var status: Int
        /// The stored fields, in order.
        package var fields: HTTPFields { didSet { facts = StoredResponseProperties(fields) } }
        /// The caching properties that ``fields`` state.
        package private(set) var facts: StoredResponseProperties
        /// The request fields that selected the response; empty if it answers every request for the URL.
        package var selectors: [Selector]
        /// The time at which the request was sent, in milliseconds since 1970.
        package var requestTime: Int64
        /// The time at which the head of the response arrived, in milliseconds since 1970.
        package var responseTime: Int64
        /// True if the transport was to decompress the body.
        package let isDecoded: Bool
        /// True if the response must be validated before it is used again.
        package var isInvalidated: Bool
    }

    /// A class, so that the copies made at each request retain one object.
    private final class Storage: Sendable {
        let values: Values
        let lastHead = Mutex<(age: Int64, report: CacheReport, head: HTTPResponse)?>(nil)

        init(_ values: Values) { self.values = values }
    }

    private let storage: Storage

    private init(_ values: Values) { storage = Storage(values) }

    package init(
        url: String, partition: String, status: Int, fields: HTTPFields, facts: StoredResponseProperties? = nil,
        selectors: [Selector] = [], requestTime: Int64, responseTime: Int64, isDecoded: Bool,
        isInvalidated: Bool = false
    ) {
        self.init(
            Values(
                url: url, partition: partition, status: status, fields: fields,
                facts: facts ?? StoredResponseProperties(fields),
                selectors: selectors, requestTime: requestTime, responseTime: responseTime, isDecoded: isDecoded,
                isInvalidated: isInvalidated))
    }

    /// Returns a response with changed values.
    ///
    /// - Parameter change: Changes a copy of the values.
    /// - Returns: The changed response.
    package func changed(_ change: (inout Values) -> Void) -> StoredResponse {
        var values = storage.values
        change(&values)
        return StoredResponse(values)
    }

    /// Returns the head of a reply that is the complete response.
    ///
    /// `Age` and `Cache-Status` change once a second, so the replies of one second share one head.
    func head(of reply: CachedReply) -> HTTPResponse {
        let last = storage.lastHead.withLock { last in
            last.flatMap { $0.age == reply.age && $0.report == reply.report ? $0.head : nil }
        }
        if let last { return last }
        let head = HTTPResponse(
            status: HTTPResponse.Status(code: status), headerFields: reply.fields(of: self))
        storage.lastHead.withLock { $0 = (reply.age, reply.report, head) }
        return head
    }

    package static func == (one: StoredResponse, other: StoredResponse) -> Bool {
        one.storage === other.storage || one.storage.values == other.storage.values
    }
}

extension StoredResponse {
    package var url: String { storage.values.url }
    package var partition: String { storage.values.partition }
    package var status: Int { storage.values.status }
    package var fields: HTTPFields { storage.values.fields }
    package var facts: StoredResponseProperties { storage.values.facts }
    package var selectors: [Selector] { storage.values.selectors }
    package var requestTime: Int64 { storage.values.requestTime }
    package var responseTime: Int64 { storage.values.responseTime }
    package var isDecoded: Bool { storage.values.isDecoded }
    package var isInvalidated: Bool { storage.values.isInvalidated }

    /// The `Cache-Control` directives of the response.
    package var control: CacheControl { storage.values.facts.control }

    /// The tags with which the response can be removed.
    package var tags: [String] { FieldList.members(CacheFields.cacheTag, of: fields) }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import RawStructuredFieldValues
import SimorghSupport

extension ServerRateLimit {
    /// The largest number of limits that are read from a response.
    private static let capacity = 8
    /// Numbers from here on are seconds since 1970, not seconds from now: 2001, or 31 years.
    private static let firstEpoch = 1e9
    /// Numbers from here on are milliseconds since 1970.
    private static let firstEpochMilliseconds = 1e11

    /// Returns the limits that a response states.
    ///
    /// A malformed field is ignored. Of several forms the newest counts.
    ///
    /// - Parameters:
    ///   - response: The head of the response.
    ///   - now: The current date.
    /// - Returns: The limits.
    package static func limits(of response: HTTPResponse, now: Date) -> [ServerRateLimit] {
        let fields = response.headerFields
        var limits: [ServerRateLimit] = []
        // A stored response tells nothing about the current limits.
        if (number(.age, in: fields) ?? 0) <= 0 {
            limits = structured(fields, now: now)
            if limits.isEmpty, let limit = triple(.rateLimitTriple, prefix: "RateLimit-", in: fields, now: now) {
                limits = [limit]
            }
            for (prefix, suffix) in olderNames where limits.isEmpty {
                let limit = triple(.xRateLimit, prefix: prefix, suffix: suffix, in: fields, now: now)
                if let limit { limits = [limit] }
            }
        }
        guard response.status == .tooManyRequests || response.status == .serviceUnavailable,
            let value = fields.only(.retryAfter),
            let delay = RetryAfter.delay(value, now: serverDate(fields, now: now) ?? now)
        else { return limits }
        // It takes precedence over the end of a window.
        let reset = now.addingTimeInterval(delay / .seconds(1))
        for index in limits.indices where limits[index].remaining == 0 { limits[index].reset = reset }
        return limits
            + partitions(of: limits, in: fields).map { partition in
                ServerRateLimit(.retryAfter, partition: partition, remaining: 0, reset: reset)
            }
    }

    /// Returns the parts of the quota that a `Retry-After` is for; `nil` stands for the whole quota.
    ///
    /// These are the parts of the limits that are used up; if none is, those of all limits.
    private static func partitions(of limits: [ServerRateLimit], in fields: HTTPFields) -> [String?] {
        guard !limits.isEmpty else { return [olderNames.lazy.compactMap { resource($0.prefix, in: fields) }.first] }
        let exhausted = limits.filter { $0.remaining == 0 }
        let partitions = (exhausted.isEmpty ? limits : exhausted).map(\.partition)
        return partitions.contains(nil) ? [nil] : Set(partitions.compactMap { $0 }).sorted()
    }

    // MARK: RateLimit and RateLimit-Policy

    private static func structured(_ fields: HTTPFields, now: Date) -> [ServerRateLimit] {
        let policies = items(.known("RateLimit-Policy"), in: fields) ?? []
        guard let states = items(.known("RateLimit"), in: fields) else {
            return dictionary(fields, policies: policies, now: now).map { [$0] } ?? []
        }
        return states.prefix(capacity).compactMap { state in
            guard let name = state.rfc9651BareItem.text, let remaining = integer("r", of: state) else { return nil }
            let partition = bytes("pk", of: state)
            let own = policies.filter { $0.rfc9651BareItem.text == name }
            let policy = own.first { bytes("pk", of: $0) == partition } ?? own.first
            return ServerRateLimit(
                .rateLimit, policy: name, partition: partition, limit: policy.flatMap { integer("q", of: $0) },
                remaining: remaining, unit: policy.flatMap { $0.rfc9651Parameters["qu"]?.text } ?? "requests",
                window: policy.flatMap { integer("w", of: $0) }.map { .seconds($0) },
                reset: integer("t", of: state).map { now.addingTimeInterval(Double($0)) })
        }
    }

    /// The form of draft 7: `limit=100, remaining=50, reset=5`, and `100;w=60` as the policy.
    private static func dictionary(_ fields: HTTPFields, policies: [Item], now: Date) -> ServerRateLimit? {
        guard let members = StructuredField.dictionary(fields[values: .known("RateLimit")]) else { return nil }
        func member(_ name: String) -> Int? { integer(members[name]?.item?.rfc9651BareItem) }
        guard let remaining = member("remaining") else { return nil }
        return ServerRateLimit(
            .rateLimit, limit: member("limit"), remaining: remaining,
            window: policies.first.flatMap { integer("w", of: $0) }.map { .seconds($0) },
            reset: member("reset").map { now.addingTimeInterval(Double($0)) })
    }

    /// Returns the items of a list; `nil` if the field is missing or malformed.
    private static func items(_ name: HTTPField.Name, in fields: HTTPFields) -> [Item]? {
        StructuredField.list(fields[values: name])?.compactMap(\.item)
    }

    private static func integer(_ item: RFC9651BareItem?) -> Int? {
        guard let number = item?.integer, number >= 0 else { return nil }
        // An integer has 32 bits on watchOS.
        return Int(clamping: number)
    }

    private static func integer(_ parameter: String, of item: Item) -> Int? {
        integer(item.rfc9651Parameters[parameter])
    }

    private static func bytes(_ parameter: String, of item: Item) -> String? {
        guard case .undecodedByteSequence(let base64) = item.rfc9651Parameters[parameter] else { return nil }
        return base64
    }

    // MARK: The older fields

    /// The beginnings and ends of the names of fields that no draft describes.
    ///
    /// OpenAI and its imitators count requests and tokens, in fields of their own; only requests can delay requests.
    private static let olderNames: [(prefix: String, suffix: String)] = [
        ("X-RateLimit-", ""), ("X-Rate-Limit-", ""), ("X-RateLimit-", "-Requests"),
    ]
    /// The units of a duration, in seconds.
    private static let units: [String: Double] = ["h": 3600, "m": 60, "s": 1, "ms": 1e-3]

    private static func resource(_ prefix: String, in fields: HTTPFields) -> String? {
        fields.only(.known(prefix + "Resource")).flatMap { $0.utf8.count <= 256 ? $0 : nil }
    }

    private static func triple(
        _ source: Source, prefix: String, suffix: String = "", in fields: HTTPFields, now: Date
    ) -> ServerRateLimit? {
        func name(_ part: String) -> HTTPField.Name { .known(prefix + part + suffix) }
        guard let remaining = number(name("Remaining"), in: fields) else { return nil }
        let reset = number(name("Reset"), in: fields) ?? fields.only(name("Reset")).flatMap(seconds)
        return ServerRateLimit(
            source, partition: resource(prefix, in: fields),
            limit: number(name("Limit"), in: fields).map { Int(clamping: Int64($0)) },
            remaining: Int(clamping: Int64(remaining)),
            reset: reset.map { reset in
                guard reset >= firstEpoch else { return now.addingTimeInterval(reset) }
                let epoch = reset >= firstEpochMilliseconds ? reset / 1000 : reset
                // By the server's clock, which may differ from this one.
                return now.addingTimeInterval(epoch - (serverDate(fields, now: now) ?? now).timeIntervalSince1970)
            })
    }

    /// Returns the seconds of a duration such as `6m0s`, `8.64s` or `17ms`; `nil` for any other text.
    private static func seconds(_ text: String) -> Double? {
        guard !text.isEmpty, text.utf8.count <= 64 else { return nil }
        var (rest, sum) = (text[...], 0.0)
        while !rest.isEmpty {
            let digits = rest.prefix { $0 == "." || $0.isASCII && $0.isNumber }
            let unit = rest[digits.endIndex...].prefix { $0.isLetter }
            guard let number = Double(digits), let seconds = units[String(unit)] else { return nil }
            sum += number * seconds
            rest = rest[unit.endIndex...]
        }
        return min(sum, 1e15)
    }

    private static func serverDate(_ fields: HTTPFields, now: Date) -> Date? {
        fields.only(.date).flatMap { HTTPDate.parse($0, now: now) }
    }

    /// Returns a number that is not negative, up to 10^15; `nil` if the field is missing or starts with anything else.
    ///
    /// Earlier drafts allow policies after the number: `100, 100;w=60`.
    private static func number(_ name: HTTPField.Name, in fields: HTTPFields) -> Double? {
        guard let value = fields.only(name) else { return nil }
        let text = value.prefix { $0 != "," && $0 != ";" }.filter { $0 != " " && $0 != "\t" }
        guard !text.isEmpty, text.utf8.allSatisfy({ ByteSet.digits.contains($0) || $0 == UInt8(ascii: ".") }),
            let number = Double(text)
        else { return nil }
        return min(number, 1e15)
    }
}

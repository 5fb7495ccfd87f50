// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation

/// The required fields of HAR 1.2 and their types, written from the tables of the specification.
///
/// Additional fields pass. `HARWitnessTests` checks against the published schema.
enum HARSchema {
    private indirect enum Rule: Sendable {
        case text, number, count, date
        case list(Rule)
        case object([String: Rule], optional: [String: Rule] = [:])
    }

    private static let record = Rule.object(["name": .text, "value": .text], optional: ["comment": .text])
    private static let cookie = Rule.object(
        ["name": .text, "value": .text],
        optional: ["path": .text, "domain": .text, "expires": .text, "comment": .text])
    private static let request = Rule.object(
        [
            "method": .text, "url": .text, "httpVersion": .text, "cookies": .list(cookie), "headers": .list(record),
            "queryString": .list(record), "headersSize": .count, "bodySize": .count,
        ],
        optional: [
            "postData": .object(
                ["mimeType": .text, "text": .text], optional: ["params": .list(record), "comment": .text]),
            "comment": .text,
        ])
    private static let response = Rule.object(
        [
            "status": .count, "statusText": .text, "httpVersion": .text, "cookies": .list(cookie),
            "headers": .list(record), "redirectURL": .text, "headersSize": .count, "bodySize": .count,
            "content": .object(
                ["size": .count, "mimeType": .text],
                optional: ["compression": .count, "text": .text, "encoding": .text, "comment": .text]),
        ], optional: ["comment": .text])
    private static let timings = Rule.object(
        ["send": .number, "wait": .number, "receive": .number],
        optional: ["blocked": .number, "dns": .number, "connect": .number, "ssl": .number, "comment": .text])
    private static let entry = Rule.object(
        [
            "startedDateTime": .date, "time": .number, "request": request, "response": response,
            "cache": .object([:], optional: ["comment": .text]), "timings": timings,
        ], optional: ["pageref": .text, "serverIPAddress": .text, "connection": .text, "comment": .text])
    private static let file = Rule.object([
        "log": .object(
            [
                "version": .text, "creator": .object(["name": .text, "version": .text], optional: ["comment": .text]),
                "entries": .list(entry),
            ], optional: ["browser": .object(["name": .text, "version": .text]), "comment": .text])
    ])

    /// Returns the violations in a file; empty for a valid one.
    static func faults(_ object: Any) -> [String] { faults(object, file, "") }

    private static func faults(_ value: Any, _ rule: Rule, _ path: String) -> [String] {
        switch rule {
        case .text: return value is String ? [] : ["\(path) is not a string"]
        case .number:
            guard let number = value as? Double else { return ["\(path) is not a number"] }
            return number >= 0 || number == -1 ? [] : ["\(path) is \(number)"]
        case .count:
            guard let number = value as? Double, number == number.rounded() else { return ["\(path): not an integer"] }
            return number >= -1 ? [] : ["\(path) is \(number)"]
        case .date:
            let isDate = (value as? String).map { (try? Date($0, strategy: .iso8601)) != nil || $0.contains(#/T.*Z$/#) }
            return isDate == true ? [] : ["\(path) is not a date"]
        case .list(let element):
            guard let list = value as? [Any] else { return ["\(path) is not an array"] }
            return list.enumerated().flatMap { faults($1, element, "\(path)[\($0)]") }
        case .object(let required, let optional):
            guard let object = value as? [String: Any] else { return ["\(path) is not an object"] }
            let missing = required.keys.filter { object[$0] == nil }.map { "\(path).\($0) is missing" }
            return missing
                + object.flatMap { name, member -> [String] in
                    guard let rule = required[name] ?? optional[name] else { return ["\(path).\(name) is unknown"] }
                    return faults(member, rule, "\(path).\(name)")
                }
        }
    }
}

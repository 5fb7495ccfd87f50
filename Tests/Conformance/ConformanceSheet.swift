// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The results of the cases on one machine, as a text that can be sent to the project.
///
/// ```swift
/// var sheet = ConformanceSheet(system: "iOS 26.1, iPhone17,3", transport: "URLSession")
/// for example in ConformanceCase.all { sheet.add(await example.result(over: URLSessionTransport.shared)) }
/// print(sheet)
/// ```
public struct ConformanceSheet: Sendable, CustomStringConvertible {
    /// The operating system with its version, and the device.
    public let system: String
    /// The name of the transport.
    public let transport: String
    /// The results, in the order of the cases' first runs.
    public private(set) var results: [ConformanceResult] = []
    /// The recording of the network monitor, from which a wrong status becomes a test; `nil` for a sheet without it.
    public var recording: String?

    /// Creates an empty sheet.
    ///
    /// - Parameters:
    ///   - system: The operating system with its version, and the device.
    ///   - transport: The name of the transport.
    public init(system: String, transport: String) {
        self.system = system
        self.transport = transport
    }

    /// Adds a result; it replaces an earlier one of the same case.
    ///
    /// - Parameter result: The result.
    public mutating func add(_ result: ConformanceResult) {
        if let index = results.firstIndex(where: { $0.id == result.id }) {
            results[index] = result
        } else {
            results.append(result)
        }
    }

    /// The number of cases whose requirement holds.
    public var passed: Int { results.count { $0.hasPassed } }

    /// The sheet: the machine, the failures, a line for each case, and the recording.
    public var description: String {
        let lines = results.filter { !$0.hasPassed } + results.filter(\.hasPassed)
        return """
            Simorgh on \(system), over \(transport)
            \(passed) of \(results.count) cases passed

            \(lines.map(\.description).joined(separator: "\n"))
            """ + (recording.map { "\n\nRecording of the network monitor:\n\($0)" } ?? "")
    }
}

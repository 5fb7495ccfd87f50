// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Observation
import Simorgh
import SimorghConformance

/// The cases, their results, and the task that runs them one after the other.
@MainActor
@Observable
final class ProbeModel {
    private(set) var sheet = ConformanceSheet(system: ProbeModel.system, transport: "URLSession")
    /// The id of the case that is running; `nil` if none is.
    private(set) var running: String?
    private var task: Task<Void, Never>?

    private static var system: String {
        #if os(iOS)
        let name = "iOS"
        #elseif os(macOS)
        let name = "macOS"
        #elseif os(tvOS)
        let name = "tvOS"
        #elseif os(watchOS)
        let name = "watchOS"
        #else
        let name = "visionOS"
        #endif
        return "\(name) \(ProcessInfo.processInfo.operatingSystemVersionString)"
    }

    func cases(of suite: ConformanceCase.Suite) -> [ConformanceCase] {
        ConformanceCase.all.filter { $0.suite == suite }
    }

    func result(of example: ConformanceCase) -> ConformanceResult? {
        sheet.results.first { $0.id == example.id }
    }

    /// Runs cases over the shared transport; ends those that are running.
    func run(_ cases: [ConformanceCase]) {
        task?.cancel()
        task = Task {
            for example in cases {
                running = example.id
                let result = await example.result(over: URLSessionTransport.shared)
                if Task.isCancelled { return }
                sheet.add(result)
            }
            // A status that differs from the settings of the device becomes a test with this.
            if cases.contains(where: { $0.suite == .network }) {
                sheet.recording = try? await NetworkMonitor.shared.recording()
            }
            running = nil
        }
    }

    func stop() {
        task?.cancel()
        running = nil
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghConformance
import SwiftUI

/// The second screen: the cases of a group with their results.
struct CaseList: View {
    let model: ProbeModel
    let suite: ConformanceCase.Suite

    var body: some View {
        List {
            Button("Run these") { model.run(model.cases(of: suite)) }
            ForEach(model.cases(of: suite)) { example in
                Button {
                    model.run([example])
                } label: {
                    CaseRow(example: example, result: model.result(of: example), isRunning: model.running == example.id)
                }
            }
        }
        .navigationTitle(suite.rawValue)
    }
}

/// A case with its outcome.
struct CaseRow: View {
    let example: ConformanceCase
    let result: ConformanceResult?
    let isRunning: Bool

    var body: some View {
        VStack(alignment: .leading) {
            Label(example.name, systemImage: symbol)
            if let explanation { Text(explanation).font(.caption) }
        }
    }

    private var symbol: String {
        if isRunning { return "hourglass" }
        guard let result else { return "circle" }
        return result.hasPassed ? "checkmark.circle" : "xmark.circle"
    }

    private var explanation: String? {
        switch result?.outcome {
        case .passed(let note): note
        case .failed(let reason): reason
        case nil: nil
        }
    }
}

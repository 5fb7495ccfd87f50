// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghConformance
import SwiftUI

/// The first screen: the groups of cases, a button for all of them, and the sheet.
struct SuiteList: View {
    let model: ProbeModel

    var body: some View {
        NavigationStack {
            List {
                Section("Suites") {
                    ForEach(ConformanceCase.Suite.allCases, id: \.self) { suite in
                        NavigationLink(suite.rawValue) { CaseList(model: model, suite: suite) }
                    }
                }
                Section("Everything") {
                    Button("Run everything") { model.run(ConformanceCase.all) }
                    if let running = model.running {
                        Text(running)
                        Button("Stop") { model.stop() }
                    }
                    NavigationLink("Sheet") { SheetView(text: model.sheet.description) }
                }
            }
            .navigationTitle("Simorgh")
        }
    }
}

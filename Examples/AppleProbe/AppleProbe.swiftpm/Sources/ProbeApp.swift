// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SwiftUI

@main
struct ProbeApp: App {
    @State private var model = ProbeModel()

    var body: some Scene {
        WindowGroup { SuiteList(model: model) }
    }
}

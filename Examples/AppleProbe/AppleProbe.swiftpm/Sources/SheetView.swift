// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SwiftUI

/// The third screen: the results as a text to share.
struct SheetView: View {
    let text: String

    var body: some View {
        ScrollView {
            ShareLink(item: text)
            Text(text).font(.caption).textSelection(.enabled).padding()
        }
        .navigationTitle("Sheet")
    }
}

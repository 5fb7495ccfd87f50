// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if !os(Linux) && !canImport(Network)
/// What this system tells of its network: nothing that this library understands.
package enum SystemNetwork {
    package static let source: any NetworkSource = NoNetworkSource()
}
#endif

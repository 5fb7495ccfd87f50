// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if !os(Linux) && !canImport(Network)
/// The network source of an unsupported system: it reports an unknown status.
package enum SystemNetwork {
    package static let source: any NetworkSource = UnavailableNetworkSource()
}
#endif

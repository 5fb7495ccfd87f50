// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport
import Synchronization

extension DownloadQueue {
    /// The error of a download that waits for a network, with the reason that the system gives.
    var offlineError: DownloadError {
        let reason = network.explanation.map { ": \($0)" } ?? ""
        return .transport(.notConnectedToInternet, "there is no network that the download may use\(reason)")
    }

    /// Returns the host of a download and its network rules; `nil` if there is no such download.
    func networkRequirements(of id: UUID) -> (host: String, rules: DownloadNetworkAccess.Rules)? {
        state.withLock { state in
            state.entries[id].map { (DownloadHost.name(of: $0.source), rules(of: state.config)) }
        }
    }

    /// Returns the rules of a configuration and the client.
    func rules(of config: DownloadManagerConfig) -> DownloadNetworkAccess.Rules {
        DownloadNetworkAccess.Rules(config, client: client.configuration.access)
    }

    /// Passes running downloads to a backend with its own queue again, because their transfers keep the rules with which
    /// they were created.
    ///
    /// That discards their bytes, so it happens for rules that forbid more; for other rules only if there are no bytes
    /// yet, which is unknown of a transfer that continues since an earlier manager.
    ///
    /// - Parameters:
    ///   - before: The rules of the transfers.
    ///   - state: The state, with the new configuration.
    /// - Returns: The effects to perform after the lock is released.
    func restartTransfers(
        of before: DownloadNetworkAccess.Rules, in state: inout State
    ) -> [Effect] {
        let rules = rules(of: state.config)
        guard backend?.hasOwnQueue == true, rules != before else { return [] }
        let isTighter = rules.forbidMore(than: before)
        var effects: [Effect] = []
        for id in state.order.inOrder {
            guard var entry = state.entries[id],
                isTighter || entry.task.downloadedBytes == 0 && !entry.isRestored
            else { continue }
            let actions = entry.machine.restart()
            guard !actions.isEmpty else { continue }
            state.entries[id] = entry
            effects += apply(actions, to: id, in: &state)
        }
        return effects
    }

    /// Returns true if the network allows the host despite the failure; queries it only after an offline failure.
    func isReachable(_ id: UUID, after outcome: Result<DownloadAttempt.Finished, DownloadAttemptError>) async -> Bool {
        guard case .failure(.offline) = outcome, let (host, rules) = networkRequirements(of: id) else { return true }
        return await network.allows(host, rules: rules)
    }

    /// Stops a run whose network is not allowed; the download then waits for another network.
    func forbidNetwork(_ id: UUID, run number: Int) {
        let run = state.withLock { state -> Task<Void, Never>? in
            guard let entry = state.entries[id], entry.runCount == number, entry.machine.state == .downloading else {
                return nil
            }
            state.entries[id]?.isNetworkForbidden = true
            return entry.runTask
        }
        run?.cancel()
    }

    /// Checks all running and waiting downloads again after the network rules changed.
    func rulesChanged() async {
        guard backend?.hasOwnQueue != true else { return }
        let (runs, waiting) = state.withLock { state in
            (
                state.entries.values.filter { $0.machine.state == .downloading }.map { ($0.task.id, $0.runCount) },
                state.entries.values.filter { $0.machine.state == .waitingForNetwork }.map(\.task.id)
            )
        }
        for (id, number) in runs {
            guard let (host, rules) = networkRequirements(of: id), await !network.mayTry(host, rules: rules) else {
                continue
            }
            forbidNetwork(id, run: number)
        }
        for id in waiting {
            guard let (host, rules) = networkRequirements(of: id), await network.allows(host, rules: rules) else {
                continue
            }
            change(id) { $0.machine.networkBecameAvailable() }
        }
    }
}

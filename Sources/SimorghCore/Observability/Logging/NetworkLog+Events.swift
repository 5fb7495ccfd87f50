// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension NetworkLog {
    /// Logs the decisions of the interceptors.
    ///
    /// Other events are logged by separate methods.
    package func write(_ event: NetworkEvent, redactor: Redactor) {
        guard level >= .standard else { return }
        switch event {
        case .retryDecision(let decision):
            var entry = entry("retry", call: decision.callID)
            entry.method = decision.method
            entry.url = redactor.url(decision.url)
            entry.facts.append(("after", decision.delay.map(Self.milliseconds) ?? "never"))
            entry.facts.append(("reason", redactor.text(decision.reason)))
            write(entry)
        case .redirected(let redirect):
            var entry = entry("redirect", call: redirect.callID)
            entry.status = redirect.redirection.statusCode
            entry.method = redirect.redirection.method
            entry.url = redactor.url(redirect.redirection.to)
            entry.facts.append(("from", redactor.url(redirect.redirection.from)))
            if redirect.redirection.ignoresUserInfo { entry.facts.append(("userinfo", "ignored")) }
            write(entry)
        case .wait(let wait):
            var entry = entry("wait", call: wait.callID)
            entry.facts.append(("for", "\(wait.cause)"))
            if case .ended(let duration) = wait.stage { entry.facts.append(("ended", Self.milliseconds(duration))) }
            write(entry)
        case .circuitChange(let change):
            var entry = entry(change.isOpen ? "circuit opened" : "circuit closed")
            entry.facts.append(("origin", change.origin))
            write(entry)
        case .hedgeStarted(let hedge):
            var entry = entry("hedge", call: hedge.callID)
            entry.facts.append(("requests", "\(hedge.requests)"))
            write(entry)
        case .interim(let interim):
            var entry = entry("interim response", call: interim.callID)
            entry.status = interim.response.status.code
            entry.headers = redactor.fields(interim.response.headerFields)
            write(entry)
        case .webSocket(let report): write(report, redactor: redactor)
        case .cache(let cache):
            var entry = entry("cache", call: cache.callID)
            entry.method = cache.method
            entry.url = redactor.url(cache.url)
            entry.facts.append(("cache", "\(cache.report)"))
            write(entry)
        case .started, .completed, .attempt, .bodyEnded: break
        }
    }

    private func write(_ report: WebSocketReport, redactor: Redactor) {
        var entry: LogEntry
        switch report.change {
        case .connecting: entry = self.entry("websocket connecting")
        case .connected: entry = self.entry("websocket connected")
        case .reconnecting(let attempt, let delay):
            entry = self.entry("websocket reconnecting")
            entry.attempt = attempt
            entry.facts.append(("after", Self.milliseconds(delay)))
        case .ended(let code, let reason):
            entry = self.entry("websocket disconnected")
            entry.facts.append(("code", "\(code)"))
            if !reason.isEmpty { entry.facts.append(("reason", redactor.text(reason))) }
        }
        entry.url = redactor.url(report.url)
        if let failure = report.failure { entry.facts.append(("error", redactor.text("\(failure)"))) }
        write(entry)
    }
}

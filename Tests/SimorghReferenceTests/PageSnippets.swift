// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghTesting
import Testing

/// The argument type of the page's delegate, which exists only on Apple platforms.
private final class UIApplication {}

/// The page's application delegate.
@MainActor
private final class AppDelegate {
    let downloadManager: DownloadManager

    init(_ downloadManager: DownloadManager) { self.downloadManager = downloadManager }

    func application(
        _ application: UIApplication,
        handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        guard identifier == "com.myapp.downloads" else { return }
        downloadManager.backgroundCompletionHandler = completionHandler
    }
}

@Suite("Reference: the rest of the page", .timeLimit(.minutes(5)))
struct PageSnippets {
    @Test("An application delegate passes the completion handler of its own download session, and no other")
    @MainActor
    func delegate() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("simorgh-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let manager = try DownloadManager(
            config: DownloadManagerConfig(
                downloadDirectory: folder, backgroundSessionIdentifier: "com.myapp.downloads"))
        let delegate = AppDelegate(manager)
        delegate.application(
            UIApplication(), handleEventsForBackgroundURLSession: "com.other.downloads", completionHandler: {})
        let othersIsTaken = manager.backgroundCompletionHandler != nil
        #expect(!othersIsTaken)
        delegate.application(
            UIApplication(), handleEventsForBackgroundURLSession: "com.myapp.downloads", completionHandler: {})
        let ownIsTaken = manager.backgroundCompletionHandler != nil
        #expect(ownIsTaken)
        manager.backgroundCompletionHandler = nil
        await manager.close()
    }

    @Test("NetworkRouter has the documented members with the documented types")
    func members() {
        struct Endpoint: NetworkRouter {}
        func check<Router: NetworkRouter>(_ router: Router) {
            let _: String = router.baseURLString
            let _: String = router.path
            let _: RequestMethod? = router.method
            let _: [String: String]? = router.headers
            let _: Router.Parameters? = router.params
            let _: Router.QueryParameters? = router.queryParams
            let _: APIVersion? = router.version
        }
        check(Endpoint())
        let _: EmptyParameters.Type = Endpoint.Parameters.self
        let _: EmptyParameters.Type = Endpoint.QueryParameters.self
    }

    @Test("Omitted settings have the documented defaults")
    func defaults() {
        let config = DownloadManagerConfig(
            downloadDirectory: nil,  // defaults to Documents/Downloads
            minFreeDiskSpace: 100 * 1024 * 1024  // 100 MB minimum free space
        )
        #expect(config == DownloadManagerConfig())
        let cache = CacheConfiguration(
            memoryCapacity: 20 * 1024 * 1024,  // 20 MB
            diskCapacity: 100 * 1024 * 1024,  // 100 MB
            diskPath: nil
        )
        #expect(cache.diskPath == nil)
    }

    // The following functions are never called, only compiled. Other suites test the same statements: these print,
    // create files among the user's own, or observe this machine's network.

    func clients() -> [APIClient] {
        var clients: [APIClient] = []
        do {
            let client = APIClient()
            clients.append(client)
        }
        do {
            let client = APIClient(logLevel: .verbose)
            clients.append(client)
        }
        do {
            let client = APIClient(defaultCacheStrategy: .returnCacheDataElseLoad)
            clients.append(client)
        }
        return clients
    }

    func uploads(
        _ client: APIClient, _ endpoint: some NetworkRouter, _ imageData: Data, _ fields: [MultipartFormField],
        _ cancellables: inout Set<AnyCancellable>
    ) {
        // The page does not state the response type, which the compiler cannot infer.
        client.uploadRequest(endpoint, withName: "photo", data: imageData) { print($0) }
            .sink(receiveCompletion: { _ in }, receiveValue: { (value: UploadResponse) in print(value) })
            .store(in: &cancellables)
        client.uploadRequest(endpoint, formFields: fields) { print($0) }
            .sink(receiveCompletion: { _ in }, receiveValue: { (value: UploadResponse) in print(value) })
            .store(in: &cancellables)
    }

    func downloads(_ manager: DownloadManager, _ id: UUID, _ cancellables: inout Set<AnyCancellable>) {
        func formatSpeed(_ bytesPerSec: Double) -> String { "\(bytesPerSec) B/s" }
        func updateUI(_ tasks: [DownloadTask]) {}
        func updateProgress(_ progress: DownloadProgress) {}
        func showError(_ message: String) {}
        manager.progressPublisher(for: id)
            .receive(on: DispatchQueue.main)
            .sink { p in print("\(Int(p.fraction * 100))% \(formatSpeed(p.speed))") }
            .store(in: &cancellables)
        manager.statePublisher(for: id)
            .sink { state in print("State: \(state)") }
            .store(in: &cancellables)
        manager.tasksPublisher
            .receive(on: DispatchQueue.main)
            .sink { tasks in updateUI(tasks) }
            .store(in: &cancellables)
        manager.eventsPublisher
            .sink { event in
                switch event {
                case .progress(let p): updateProgress(p)
                case .stateChange(_, let state): print(state)
                case .error(_, let message): showError(message)
                case .added(let task): print("Added \(task.fileName)")
                case .removed: break
                }
            }
            .store(in: &cancellables)
    }

    func network(_ cancellables: inout Set<AnyCancellable>) {
        func showOfflineBanner() {}
        let monitor = NetworkMonitor(shouldDetectVpnAutomatically: true)
        monitor.startMonitoring()
        monitor.status
            .receive(on: DispatchQueue.main)
            .sink { connectivity in
                switch connectivity {
                case .disconnected: showOfflineBanner()
                case .connected(.wifi): print("WiFi")
                case .connected(.cellular): print("Cellular")
                case .connected(.vpn): print("VPN active")
                case .connected(.ethernet): print("Ethernet")
                case .connected(.other): print("Other")
                }
            }
            .store(in: &cancellables)
    }
}

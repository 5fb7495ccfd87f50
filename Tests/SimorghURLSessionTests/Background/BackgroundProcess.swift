// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghDownloads
import SimorghURLSession
import Synchronization

/// A simulated process that uses a background session: its calls, and the files in its folder.
final class BackgroundProcess: Sendable {
    typealias Outcome = Result<BackendFile, BackgroundTransferError>

    let system: ScriptedSystem
    let transfers: BackgroundTransfers
    let directory: URL
    let told = Mutex(0)

    init(_ system: ScriptedSystem, directory: URL, tls: TLSOptions = TLSOptions()) {
        self.system = system
        self.directory = directory
        let box = TimerBox()
        transfers = BackgroundTransfers(
            trust: BackgroundTrust(tls), timer: { _, work in box.works.withLock { $0.append(work) } }
        ) { system.session($0, $1) }
        self.box = box
        transfers.attach(directory.path, user: UUID()) { [weak self] in self?.told.withLock { $0 += 1 } }
        transfers.flush()
    }

    private final class TimerBox: Sendable {
        let works = Mutex<[@Sendable () -> Void]>([])
    }

    private let box: TimerBox

    /// Lets all timers fire.
    func fireTimers() {
        for work in box.works.withLock({ works in
            defer { works = [] }
            return works
        }) { work() }
        transfers.flush()
    }

    /// Makes a call, which may not be known to the state machine yet.
    func start(
        _ order: BackgroundOrder, isOver flag: Flag = Flag(),
        progress: @escaping @Sendable (Int64, Int64?) -> Void = { _, _ in },
        isClosed: @escaping @Sendable () -> Bool = { false }
    ) -> Task<Outcome, Never> {
        Task { [transfers] () -> Outcome in
            defer { flag.set() }
            do throws(BackgroundTransferError) {
                return .success(try await transfers.transfer(order, isClosed: isClosed, progress: progress))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Makes a call and returns when it is known to the state machine.
    func call(
        _ order: BackgroundOrder, progress: @escaping @Sendable (Int64, Int64?) -> Void = { _, _ in },
        isClosed: @escaping @Sendable () -> Bool = { false }
    ) async -> Task<Outcome, Never> {
        let flag = Flag()
        let task = start(order, isOver: flag, progress: progress, isClosed: isClosed)
        while !transfers.isAwaited(order.id), !flag.isSet { await Task.yield() }
        transfers.flush()
        return task
    }

    /// Makes the folder of a transfer, as the manager does before it enqueues a download.
    func order(_ url: String = "https://a.test/file", id: UUID = UUID()) -> BackgroundOrder {
        let folder = DownloadFolder(in: directory.path, id: id)
        try? FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        return BackgroundOrder(id: id, url: url)
    }

    /// Returns the names of the files in the folder of a transfer.
    func files(of id: UUID) -> [String] {
        let path = DownloadFolder(in: directory.path, id: id).path
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    final class Flag: Sendable {
        private let value = Mutex(false)
        func set() { value.withLock { $0 = true } }
        var isSet: Bool { value.withLock { $0 } }
    }
}

/// A temporary folder with a system and the folder of the program.
final class BackgroundFixture: Sendable {
    let root: URL
    let system: ScriptedSystem

    init() {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("background-\(UUID().uuidString)")
        system = ScriptedSystem(root.appendingPathComponent("system"))
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    var directory: URL { root.appendingPathComponent("downloads") }

    /// Starts a process.
    func process(tls: TLSOptions = TLSOptions()) -> BackgroundProcess {
        BackgroundProcess(system, directory: directory, tls: tls)
    }
}

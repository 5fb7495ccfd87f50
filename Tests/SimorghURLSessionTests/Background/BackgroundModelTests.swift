// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghDownloads
import SimorghURLSession
import Synchronization
import TestSupport
import Testing

/// Random orders of calls, callbacks and process deaths, with two managers that share the session: every download is
/// placed once, and no file leaks.
@Suite(.timeLimit(.minutes(2)))
struct BackgroundModelTests {
    /// A download of the model, as a manager's journal records it.
    private struct Download {
        let order: BackgroundOrder
        /// The folder of its manager.
        let directory: String
        var call: Task<BackgroundProcess.Outcome, Never>?
        /// Set if the manager of the call closes.
        var isClosed = BackgroundProcess.Flag()
        var isPlaced = false
        var isDiscarded = false

        var folder: DownloadFolder { DownloadFolder(in: directory, id: order.id) }
    }

    /// The model of a manager: it survives the process in its journals, except for its calls.
    private struct Model {
        let fixture: BackgroundFixture
        var random: SeededNumbers
        var process: BackgroundProcess
        var downloads: [Download] = []
        var deliveries = 0
        /// The second manager of the session, with a folder of its own.
        let second: (user: UUID, directory: String, told: Counter)

        init(seed: UInt64) throws {
            random = SeededNumbers(seed)
            fixture = BackgroundFixture()
            fixture.system.holdsLists.withLock { $0 = true }
            process = fixture.process()
            second = (UUID(), fixture.root.appendingPathComponent("second").path, Counter())
            try FileManager.default.createDirectory(atPath: second.directory, withIntermediateDirectories: true)
            for index in 0..<5 {
                let directory = index < 3 ? process.directory.path : second.directory
                let order = BackgroundOrder(id: UUID(), url: "https://a.test/\(index)")
                let download = Download(order: order, directory: directory)
                try FileManager.default.createDirectory(
                    atPath: download.folder.path, withIntermediateDirectories: true)
                downloads.append(download)
            }
            attachSecond()
        }

        func attachSecond() {
            process.transfers.attach(second.directory, user: second.user) { [told = second.told] in _ = told.next() }
        }

        var open: [Int] { downloads.indices.filter { !downloads[$0].isPlaced && !downloads[$0].isDiscarded } }

        mutating func ask(_ index: Int) async {
            guard downloads[index].call == nil else { return }
            let flag = BackgroundProcess.Flag()
            downloads[index].isClosed = flag
            downloads[index].call = await process.call(downloads[index].order, isClosed: { flag.isSet })
        }

        /// Another manager asks for a transfer that a call waits for: it takes over, and the call ends.
        mutating func takeOver(_ index: Int) async {
            let order = downloads[index].order
            guard let call = downloads[index].call, process.transfers.isAwaited(order.id) else { return }
            let flag = BackgroundProcess.Flag()
            downloads[index].isClosed = flag
            downloads[index].call = process.start(order, isClosed: { flag.isSet })
            #expect(await call.value == .failure(.cancelled))
            process.transfers.flush()
        }

        /// The manager of a call closes: the system continues the transfer, and the next call gets a file that has come.
        mutating func close(_ index: Int) async {
            guard let call = downloads[index].call.take() else { return }
            let running = fixture.system.running
            downloads[index].isClosed.set()
            call.cancel()
            _ = await call.value
            process.transfers.flush()
            #expect(fixture.system.running == running, "closing stops nothing")
        }

        /// Ends a call and places its file, as the manager does.
        mutating func take(_ index: Int) async throws {
            guard let call = downloads[index].call else { return }
            downloads[index].call = nil
            let order = downloads[index].order
            if case .success(let file) = await call.value {
                let url = URL(fileURLWithPath: file.path)
                #expect(try Data(contentsOf: url) == ScriptedSystem.body(order.url))
                #expect(!downloads[index].isPlaced, "placed twice")
                let place = downloads[index].folder.path + "/final"
                try FileManager.default.moveItem(atPath: file.path, toPath: place)
                downloads[index].isPlaced = true
            }
            process.transfers.settle(order.id)
            process.transfers.flush()
        }

        mutating func takeFinished() async throws {
            for index in downloads.indices where downloads[index].call != nil {
                if !process.transfers.isAwaited(downloads[index].order.id) { try await take(index) }
            }
        }

        mutating func pause(_ index: Int) async throws {
            guard let call = downloads[index].call else { return }
            call.cancel()
            try await take(index)
        }

        mutating func discard(_ index: Int) async throws {
            let order = downloads[index].order
            process.transfers.discard(order.id)
            process.transfers.flush()
            if let call = downloads[index].call.take() { _ = await call.value }
            downloads[index].isDiscarded = true
            try? FileManager.default.removeItem(atPath: downloads[index].folder.path)
        }

        /// The calls of a dead process never return; here they are cancelled, which the system does not see any more.
        mutating func kill() async {
            fixture.system.kill()
            for index in downloads.indices {
                guard let call = downloads[index].call.take() else { continue }
                call.cancel()
                _ = await call.value
            }
            process.transfers.flush()
            process = fixture.process()
            attachSecond()
            // As the manager does when it restores completed downloads.
            for download in downloads where download.isPlaced {
                for path in download.folder.backendFiles { try? FileManager.default.removeItem(atPath: path) }
            }
        }

        mutating func step() async throws {
            let system = fixture.system
            let index = Int.random(in: downloads.indices, using: &random)
            let task = system.all.randomElement(using: &random)
            switch Int.random(in: 0..<23, using: &random) {
            case 0...3: if open.contains(index) { await ask(index) }
            case 4: if open.contains(index) { try await pause(index) }
            case 5: if let task { system.complete(task) }
            case 6: if let task { system.fail(task, resumeData: Bool.random(using: &random) ? Data([1]) : nil) }
            case 7: if let task { system.finishStopping(task, isCallbackFirst: Bool.random(using: &random)) }
            case 8...11: system.deliver()
            case 12: await kill()
            case 13: process.fireTimers()
            case 14:
                system.add(.delivered)
                deliveries += 1
            case 15, 16: system.answerList()
            case 17, 18: await close(index)
            case 19, 20: await takeOver(index)
            case 21: Bool.random(using: &random) ? attachSecond() : process.transfers.detach(second.user)
            default:
                if open.contains(index), Int.random(in: 0..<4, using: &random) == 0 { try await discard(index) }
            }
            process.transfers.flush()
            try await takeFinished()
        }

        /// Lets the network and the system finish everything.
        mutating func finish() async throws {
            let system = fixture.system
            system.answerList()
            process.transfers.flush()
            for _ in 0..<100 where !open.isEmpty || system.undelivered > 0 || !system.all.isEmpty {
                for index in open { await ask(index) }
                for task in system.all {
                    system.finishStopping(task)
                    system.complete(task)
                }
                system.deliverAll()
                process.transfers.flush()
                process.fireTimers()
                try await takeFinished()
            }
        }
    }

    @Test(
        "No download is lost, placed twice or leaked, whatever the order of events and process deaths",
        arguments: 1...60)
    func random(seed: Int) async throws {
        var model = try Model(seed: UInt64(seed))
        for _ in 0..<100 { try await model.step() }
        try await model.finish()
        model.process.fireTimers()
        #expect(model.process.told.withLock { $0 } <= model.deliveries && model.second.told.count <= model.deliveries)
        await model.kill()
        #expect(model.open.isEmpty, "lost with seed \(seed)")
        #expect(model.fixture.system.files.isEmpty)
        for download in model.downloads where !download.isDiscarded {
            let files = try FileManager.default.contentsOfDirectory(atPath: download.folder.path)
                .filter { $0 != ".resume" }
            #expect(files == ["final"], "seed \(seed)")
        }
        let rest = try [model.process.directory.path, model.second.directory].flatMap {
            try FileManager.default.contentsOfDirectory(atPath: $0)
        }
        #expect(rest.count == model.downloads.filter { !$0.isDiscarded }.count)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghDownloads
import SimorghURLSession
import Synchronization
import TestSupport
import Testing

/// Random orders of calls, callbacks and process deaths: every download is placed once, and no file leaks.
@Suite(.timeLimit(.minutes(2)))
struct BackgroundModelTests {
    /// A download of the model, as a manager's journal records it.
    private struct Download {
        let order: BackgroundOrder
        var call: Task<BackgroundProcess.Outcome, Never>?
        var isPlaced = false
        var isDiscarded = false
    }

    /// The model of a manager: it survives the process in its journals, except for its calls.
    private struct Model {
        let fixture: BackgroundFixture
        var random: SeededNumbers
        var process: BackgroundProcess
        var downloads: [Download] = []
        var deliveries = 0

        init(seed: UInt64) {
            random = SeededNumbers(seed)
            fixture = BackgroundFixture()
            fixture.system.holdsLists.withLock { $0 = true }
            process = fixture.process()
            for index in 0..<4 {
                downloads.append(Download(order: process.order("https://a.test/\(index)")))
            }
        }

        var open: [Int] { downloads.indices.filter { !downloads[$0].isPlaced && !downloads[$0].isDiscarded } }

        mutating func ask(_ index: Int) async {
            guard downloads[index].call == nil else { return }
            downloads[index].call = await process.call(downloads[index].order)
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
                let place = DownloadFolder(in: process.directory.path, id: order.id).path + "/final"
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
            let folder = DownloadFolder(in: process.directory.path, id: order.id)
            try? FileManager.default.removeItem(atPath: folder.path)
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
            // As the manager does when it restores completed downloads.
            for download in downloads where download.isPlaced {
                let folder = DownloadFolder(in: process.directory.path, id: download.order.id)
                for path in folder.backendFiles { try? FileManager.default.removeItem(atPath: path) }
            }
        }

        mutating func step() async throws {
            let system = fixture.system
            let index = Int.random(in: downloads.indices, using: &random)
            let task = system.all.randomElement(using: &random)
            switch Int.random(in: 0..<18, using: &random) {
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
        var model = Model(seed: UInt64(seed))
        for _ in 0..<80 { try await model.step() }
        try await model.finish()
        model.process.fireTimers()
        #expect(model.process.told.withLock { $0 } <= model.deliveries)
        await model.kill()
        #expect(model.open.isEmpty, "lost with seed \(seed)")
        #expect(model.fixture.system.files.isEmpty)
        for download in model.downloads where !download.isDiscarded {
            let files = model.process.files(of: download.order.id).filter { $0 != ".resume" }
            #expect(files == ["final"], "seed \(seed)")
        }
        let rest = try FileManager.default.contentsOfDirectory(atPath: model.process.directory.path)
        #expect(rest.count == model.downloads.filter { !$0.isDiscarded }.count)
    }
}

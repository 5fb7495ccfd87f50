// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import HTTPTypes
import SimorghURLSession
import Synchronization

/// The system's background transfer service: its tasks and undelivered events survive the simulated process.
final class ScriptedSystem: Sendable {
    struct Task {
        var order: BackgroundOrder
        var state = BackgroundSessionTask.State.running
        var isResumed = false
        var count: Int64 = 0
        var stopCompletion: (@Sendable (Data?) -> Void)?
    }

    private struct State {
        var tasks: [Int: Task] = [:]
        var nextNumber = 1
        /// The events that the current or next process gets, with the files they bring.
        var undelivered: [BackgroundSessionEvent] = []
        var connection: (queue: DispatchQueue, events: @Sendable (BackgroundSessionEvent) -> Void)?
        /// The number of processes so far; a session of an earlier one reaches nothing.
        var generation = 0
        var listCompletion: (@Sendable ([BackgroundSessionTask]) -> Void)?
        var started: [Int] = []
        var resumed: [Int] = []
        var cancelled: [Int] = []
        var priorities: [Int: Float] = [:]
    }

    private let state = Mutex(State())
    let folder: URL
    /// True if a list of tasks is sent only by ``answerList()``.
    let holdsLists = Mutex(false)

    init(_ folder: URL) {
        self.folder = folder
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    var running: [Int] { state.withLock { $0.tasks.filter { $0.value.state == .running }.keys.sorted() } }
    var all: [Int] { state.withLock { $0.tasks.keys.sorted() } }
    var started: [Int] { state.withLock { $0.started } }
    var resumed: [Int] { state.withLock { $0.resumed } }
    var cancelled: [Int] { state.withLock { $0.cancelled } }
    var priorities: [Int: Float] { state.withLock { $0.priorities } }
    var undelivered: Int { state.withLock { $0.undelivered.count } }
    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }
    func task(_ number: Int) -> Task? { state.withLock { $0.tasks[number] } }

    /// Returns the body that the server sends for a URL.
    static func body(_ url: String) -> Data { Data("the file at \(url)".utf8) }

    // MARK: The process

    func session(
        _ queue: DispatchQueue, _ events: @escaping @Sendable (BackgroundSessionEvent) -> Void
    ) -> any BackgroundSession {
        let generation = state.withLock { state in
            state.connection = (queue, events)
            state.generation += 1
            return state.generation
        }
        return Session(system: self, generation: generation)
    }

    /// Ends the simulated process: nothing reaches it any more.
    func kill() {
        state.withLock { state in
            (state.connection, state.listCompletion) = (nil, nil)
            state.generation += 1
            for number in state.tasks.keys { state.tasks[number]?.stopCompletion = nil }
        }
    }

    /// Sends the list of tasks that the process has asked for.
    func answerList() {
        let (completion, tasks) = state.withLock { state in
            (state.listCompletion.take(), state.tasks.compactMap { known($0.key, $0.value) })
        }
        completion?(tasks)
    }

    // MARK: The network

    private func known(_ number: Int, _ task: Task) -> BackgroundSessionTask? {
        var known = BackgroundSessionTask(
            number: number, description: task.order.taskDescription, url: task.order.url, state: task.state)
        known?.isUpload = task.order.file != nil
        known?.count = task.count
        return known
    }

    /// Adds a task that an earlier process created.
    func add(_ order: BackgroundOrder, state new: BackgroundSessionTask.State, count: Int64 = 0) -> Int {
        state.withLock { state in
            defer { state.nextNumber += 1 }
            state.tasks[state.nextNumber] = Task(order: order, state: new, count: count)
            return state.nextNumber
        }
    }

    /// Ends a task with its file.
    func complete(_ number: Int, status: Int = 200, isHTTP: Bool = true, sendsFile: Bool = true) {
        guard let task = task(number), let known = known(number, task), task.state != .completed else { return }
        let path = folder.appendingPathComponent(UUID().uuidString).path
        let body = Self.body(task.order.url)
        let response = isHTTP ? BackgroundResponse(url: task.order.url, status: status, fields: [.server: "x"]) : nil
        if sendsFile, task.order.file == nil { try? body.write(to: URL(fileURLWithPath: path)) }
        state.withLock { state in
            state.tasks[number]?.state = .completed
            if task.order.file != nil { state.undelivered.append(.data(known, body)) }
            if sendsFile, task.order.file == nil { state.undelivered.append(.file(known, response, path: path)) }
            state.undelivered.append(.ended(known, response, nil))
        }
    }

    /// Ends a task with an error.
    func fail(
        _ number: Int, code: Int = -1005, cancellation: Int? = nil, resumeData: Data? = nil,
        refusal: BackgroundRefusal? = nil
    ) {
        guard let task = task(number), let known = known(number, task), task.state != .completed else { return }
        var failure = BackgroundSessionFailure(
            code: code, cancellation: cancellation, message: "failed", resumeData: resumeData)
        failure.refusal = refusal
        let event = BackgroundSessionEvent.ended(known, nil, failure)
        state.withLock { state in
            state.tasks[number]?.state = .completed
            state.undelivered.append(event)
        }
    }

    func add(_ event: BackgroundSessionEvent) { state.withLock { $0.undelivered.append(event) } }

    /// Calls back for a task that was cancelled with resume data.
    func finishStopping(_ number: Int, isCallbackFirst: Bool = true) {
        guard let task = task(number), task.state == .cancelling else { return }
        let data = Data("resume \(task.order.url)".utf8)
        fail(number, code: -999, resumeData: data)
        if isCallbackFirst {
            task.stopCompletion?(data)
            deliverAll()
        } else {
            deliverAll()
            task.stopCompletion?(data)
        }
    }

    /// Delivers the next event, once.
    ///
    /// - Returns: False without such a task, or without a process.
    @discardableResult
    func deliver() -> Bool {
        let next = state.withLock {
            state -> ((DispatchQueue, @Sendable (BackgroundSessionEvent) -> Void), BackgroundSessionEvent)? in
            guard let connection = state.connection, !state.undelivered.isEmpty else { return nil }
            let event = state.undelivered.removeFirst()
            if case .ended(let task, _, _) = event { state.tasks[task.number] = nil }
            return (connection, event)
        }
        guard let ((queue, events), event) = next else { return false }
        queue.sync { events(event) }
        // The system removes what the program did not move.
        if case .file(_, _, let path) = event { try? FileManager.default.removeItem(atPath: path) }
        return true
    }

    func deliverAll() { while deliver() {} }

    private struct Session: BackgroundSession {
        let system: ScriptedSystem
        let generation: Int

        private func change<Value: Sendable>(_ fallback: Value, _ body: (inout State) -> Value) -> Value {
            system.state.withLock { $0.generation == generation ? body(&$0) : fallback }
        }

        func list(_ completion: @escaping @Sendable ([BackgroundSessionTask]) -> Void) {
            change(()) { $0.listCompletion = completion }
            if !system.holdsLists.withLock({ $0 }) { system.answerList() }
        }

        func start(_ order: BackgroundOrder, resumeData: Data?) -> Int {
            change(-1) { state in
                let number = state.nextNumber
                state.nextNumber += 1
                state.tasks[number] = Task(order: order, isResumed: resumeData != nil)
                state.started.append(number)
                return number
            }
        }

        func resume(_ task: Int) {
            change(()) { state in
                state.tasks[task]?.state = .running
                state.resumed.append(task)
            }
        }

        func cancel(_ task: Int) {
            let isAlive = change(false) { state in
                state.cancelled.append(task)
                return true
            }
            if isAlive { system.fail(task, code: -999) }
        }

        func stop(_ task: Int, completion: @escaping @Sendable (Data?) -> Void) {
            change(()) { state in
                guard let known = state.tasks[task], known.state != .completed else { return }
                state.tasks[task]?.state = .cancelling
                state.tasks[task]?.stopCompletion = completion
            }
        }

        func setPriority(_ priority: Float, of task: Int) { change(()) { $0.priorities[task] = priority } }
    }
}

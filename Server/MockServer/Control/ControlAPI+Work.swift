import ConversationEngine
import DialectKit
import HTTPCore

extension ControlAPI {
    /// Work of a request, prepared on any thread and applied on the loop in steps.
    struct Work {
        typealias Step = (Server) -> Progress

        enum Progress {
            case more
            case done(Result<Response, ControlProblem>)
            case followed(by: Work)
        }

        let isLong: Bool
        /// Runs on any thread.
        let prepare: @Sendable () -> Prepared

        struct Prepared: Sendable {
            let makeStep: @Sendable () -> Step
        }

        init(isLong: Bool, _ answer: @escaping @Sendable () throws(ControlProblem) -> Response) {
            self.isLong = isLong
            prepare = {
                let result = Result(catching: answer)
                return Prepared { { _ in .done(result) } }
            }
        }

        /// Work that prepares a value on any thread, followed by one step on the loop.
        init<Item: Sendable>(
            isLong: Bool = true, prepare: @escaping @Sendable () -> Item,
            proceed: @escaping @Sendable (Server, Item) -> Progress
        ) {
            self.isLong = isLong
            self.prepare = {
                let item = prepare()
                return Prepared { { server in proceed(server, item) } }
            }
        }

        /// Work that prepares a list on any thread and applies it on the loop in pieces, which share the result of
        /// `begin`.
        init<Item: Sendable, Common>(
            isLong: Bool, prepare: @escaping @Sendable () throws(ControlProblem) -> [Item],
            begin: @escaping @Sendable (Server) -> Common,
            apply: @escaping @Sendable (Server, ArraySlice<Item>, Common) -> Void,
            end: @escaping @Sendable (Server, Int, Common) -> Response
        ) {
            self.isLong = isLong
            self.prepare = {
                let result = Result(catching: prepare)
                return Prepared {
                    var common: Common?
                    var next = 0
                    return { server in
                        let items: [Item]
                        switch result {
                        case .failure(let problem): return .done(.failure(problem))
                        case .success(let list): items = list
                        }
                        let shared = common ?? begin(server)
                        common = shared
                        let stop = min(next + ServerLimits.Control.shortList, items.count)
                        apply(server, items[next..<stop], shared)
                        next = stop
                        return next < items.count ? .more : .done(.success(end(server, items.count, shared)))
                    }
                }
            }
        }
    }

    /// Runs short work at once. Starts long work and returns nil.
    func begin(
        _ work: Work, _ head: RequestHead, on connection: Connection
    ) throws(ControlProblem) -> Response? {
        guard work.isLong else {
            let step = work.prepare().makeStep()
            while true {
                switch step(server) {
                case .more: continue
                case .done(let result): return try result.get()
                case .followed(let next): return try begin(next, head, on: connection)
                }
            }
        }
        guard server.controls.works.count < server.mostWorks else {
            throw ControlProblem(
                503,
                "\(server.controls.works.count) long answers are being put together, which is the most; try again.",
                headers: ["Retry-After": "\(ServerLimits.retryAfterSeconds)"])
        }
        start(work, head, on: connection)
        return nil
    }

    func start(_ work: Work, _ head: RequestHead, on connection: Connection) {
        connection.stage = .working(head, pipelined: nil)
        let id = connection.id
        server.controls.works[id] = { _ in .more }
        let prepare = work.prepare
        let away = AwayWork(.answers) {
            let prepared = prepare()
            return AwayWork.Result { server in
                server.controls.works[id] = prepared.makeStep()
                server.control.proceed(with: id)
            }
        }
        server.outputs.append(.work(away))
    }

    /// Executes one step, even if the client has disconnected.
    private func proceed(with id: ConnectionID) {
        guard let step = server.controls.works[id] else { return }
        let progress = step(server)
        if case .more = progress {
            return server.outputs.append(.again { $0.control.proceed(with: id) })
        }
        server.controls.works[id] = nil
        guard let connection = server.connection(of: id), case .working(let head, _) = connection.stage
        else { return }
        switch progress {
        case .followed(let next): start(next, head, on: connection)
        case .done(let result): finish(result, head, on: connection)
        case .more: break
        }
    }

    /// Work that parses a long body on a queue, then calls `next` on the loop.
    func reading(
        then next: @escaping @Sendable (ControlAPI) throws(ControlProblem) -> Work.Progress
    ) -> Work {
        let (request, id) = (request, id)
        return Work(
            prepare: { Result { () throws(ControlProblem) in try ControlBody(request.body) } },
            proceed: { server, result in
                do throws(ControlProblem) {
                    let body = try result.get()
                    return try next(ControlAPI(server: server, request: request, id: id, body: body))
                } catch {
                    return .done(.failure(error))
                }
            })
    }

    private func finish(
        _ result: Result<Response, ControlProblem>, _ head: RequestHead, on connection: Connection
    ) {
        let (response, reason): (Response, String?) =
            switch result {
            case .success(let answer): (answer, nil)
            case .failure(let problem): (problem.response, problem.message)
            }
        let path = RequestTarget(parsing: head.target)?.path ?? ""
        server.logControl(head, path, status: response.status, reason: reason, on: connection)
        server.answer(response, to: head, isNoted: true, on: connection)
    }
}

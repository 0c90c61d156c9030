import ConversationEngine
import DialectKit
import HTTPCore
import SocketTransport

extension ControlAPI {
    /// A request of the control API that may be long in the making: its pure part runs away from the loop, its changes are
    /// made in pieces, and other clients are served in between. Short ones are done at once.
    ///
    /// The parts see what they were given: a copy of the timeline or of the sessions as they were when the request came.
    struct Work {
        /// Goes on on the loop.
        typealias Step = (Server) -> Progress

        enum Progress {
            /// There is more to do.
            case more
            case done(Result<Response, ControlProblem>)
            /// The prepared result leads to other work of the same request.
            case followed(by: Work)
        }

        let isLong: Bool
        /// Runs anywhere; what it returns is called on the loop until it gives an answer.
        let prepare: @Sendable () -> Prepared

        /// What is left for the loop.
        struct Prepared: Sendable {
            let makeStep: @Sendable () -> Step
        }

        /// An answer that needs nothing of the loop.
        init(isLong: Bool, _ answer: @escaping @Sendable () throws(ControlProblem) -> Response) {
            self.isLong = isLong
            prepare = {
                let result = Result(catching: answer)
                return Prepared { { _ in .done(result) } }
            }
        }

        /// Something long that is prepared anywhere, after which the loop decides how it goes on.
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

        /// A list that is prepared anywhere and then taken over in pieces.
        ///
        /// - Parameters:
        ///   - isLong: it takes longer than other clients should wait.
        ///   - prepare: makes the list.
        ///   - begin: makes what the pieces have in common.
        ///   - take: takes over one piece.
        ///   - end: answers, given how many items there were.
        init<Item: Sendable, Common>(
            isLong: Bool, prepare: @escaping @Sendable () throws(ControlProblem) -> [Item],
            begin: @escaping @Sendable (Server) -> Common,
            take: @escaping @Sendable (Server, ArraySlice<Item>, Common) -> Void,
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
                        take(server, items[next..<stop], shared)
                        next = stop
                        return next < items.count ? .more : .done(.success(end(server, items.count, shared)))
                    }
                }
            }
        }
    }

    /// Does `work`: at once when it is short, otherwise in pieces while the connection waits.
    ///
    /// - Returns: nil when it is under way.
    func begin(_ work: Work, _ head: RequestHead, on connection: Connection)
        throws(ControlProblem) -> Response?
    {
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

    /// Has `work` done away from the loop while the connection waits.
    func start(_ work: Work, _ head: RequestHead, on connection: Connection) {
        connection.stage = .working(head, behind: nil)
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

    /// One piece of what is left to do. It is done also when the client has left: half a reset would
    /// be none.
    private func proceed(with id: ConnectionID) {
        guard let step = server.controls.works[id] else { return }
        let progress = step(server)
        if case .more = progress {
            return server.outputs.append(.again { $0.control.proceed(with: id) })
        }
        server.controls.works[id] = nil
        guard let connection = server.connection(of: id), case .working(let head, _) = connection.stage else {
            return
        }
        switch progress {
        case .followed(let next): start(next, head, on: connection)
        case .done(let result): finish(result, head, on: connection)
        case .more: break
        }
    }

    /// The work of this request, which has a long body: its JSON is read away from the loop, `next` follows on the loop.
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
        let response: Response
        var reason: String?
        switch result {
        case .success(let answer): response = answer
        case .failure(let problem):
            response = problem.response
            reason = problem.message
        }
        let path = RequestTarget(parsing: head.target)?.path ?? ""
        server.logControl(head, path, status: response.status, reason: reason, on: connection)
        server.answer(response, to: head, isNoted: true, on: connection)
    }
}

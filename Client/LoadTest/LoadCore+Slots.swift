import Clocks

extension LoadCore {
    mutating func open(_ slot: Int, at now: Instant) {
        openingCount += 1
        slots[slot].stage = .opening(since: now)
        slots[slot].line = 0
        outputs.append(.open(slot: slot))
        wait(plan.patience, slot, at: now)
    }

    mutating func send(_ slot: Int, due: Instant, at now: Instant) {
        let line = plan.talks[slots[slot].talk].lines[slots[slot].line]
        let replies = plan.isEchoEnough ? 0 : line.replies
        slots[slot].stage = .saying(
            Message(due: due, repliesLeft: replies, ends: line.ends && !plan.isEchoEnough))
        sayingCount += 1
        tally.sent += 1
        wait(plan.patience, slot, at: now)
        outputs.append(.send(slot: slot, line.text))
    }

    mutating func apply(_ input: Input, slot: Int, at now: Instant) {
        switch (slots[slot].stage, input) {
        case (_, .fault(let error)): tally.count(error)
        case (.opening(let since), .opened):
            tally.opened += 1
            tally.connecting.add(now - since)
            openingCount -= 1
            greet(slot, at: now)
        case (.greeting(let left), .replied):
            if let left, left > 1 {
                slots[slot].stage = .greeting(left: left - 1)
            } else {
                becomeReady(slot)
            }
        case (.saying(let message), .echoed): echoed(message, slot, at: now)
        case (.saying(let message), .worded): worded(message, slot, at: now)
        case (.saying(let message), .replied): replied(message, slot, at: now)
        case (.saying, .undelivered): undelivered(slot, at: now)
        case (_, .failed(let reason)): fail(.noSession(reason), slot, at: now)
        case (_, .ended): ended(slot, at: now)
        default: break
        }
    }

    mutating func runOut(of slot: Int, at now: Instant) {
        switch slots[slot].stage {
        case .greeting(let left):
            if left != nil { tally.count(.noGreeting) }
            becomeReady(slot)
        case .saying(let message): giveUp(message.isEchoed ? .noReply : .noEcho, slot, at: now)
        case .failed: if phase == .opening || phase == .talking { open(slot, at: now) }
        case .opening: fail(.notOpened, slot, at: now)
        case .unused, .ready, .over: break
        }
    }

    // MARK: Opening

    private mutating func greet(_ slot: Int, at now: Instant) {
        switch plan.talks[slots[slot].talk].opening {
        case .replies(0): becomeReady(slot)
        case .replies(let count):
            slots[slot].stage = .greeting(left: count)
            wait(plan.patience, slot, at: now)
        case .unknown:
            slots[slot].stage = .greeting(left: nil)
            wait(LoadLimits.greetingPatience, slot, at: now)
        }
    }

    private mutating func becomeReady(_ slot: Int) {
        settle(slot)
        slots[slot].stage = .ready
        slots[slot].deadline = nil
        list(slot)
    }

    private mutating func settle(_ slot: Int) {
        guard !slots[slot].isSettled else { return }
        slots[slot].isSettled = true
        settledCount += 1
    }

    private mutating func fail(_ error: LoadError, _ slot: Int, at now: Instant) {
        switch slots[slot].stage {
        case .unused, .failed, .over: return
        case .opening: openingCount -= 1
        case .saying: sayingCount -= 1
        case .greeting, .ready: break
        }
        tally.failed += 1
        tally.count(error)
        settle(slot)
        outputs.append(.leave(slot: slot))
        slots[slot].stage = .failed
        wait(LoadLimits.retryPause, slot, at: now)
    }

    // MARK: Talking

    private mutating func echoed(_ message: Message, _ slot: Int, at now: Instant) {
        guard !message.isEchoed else { return }
        var message = message
        message.isEchoed = true
        tally.echoed += 1
        tally.echo.add(now - message.due)
        slots[slot].stage = .saying(message)
        completeIfDone(message, slot, at: now)
    }

    /// Records the first part of a reply. Parts that arrive before the message's echo are ignored: they answer an
    /// earlier message.
    private mutating func worded(_ message: Message, _ slot: Int, at now: Instant) {
        guard message.isEchoed, !message.hasWords else { return }
        var message = message
        message.hasWords = true
        tally.reply.add(now - message.due)
        slots[slot].stage = .saying(message)
    }

    private mutating func replied(_ message: Message, _ slot: Int, at now: Instant) {
        guard message.isEchoed else { return }
        worded(message, slot, at: now)
        guard case .saying(var message) = slots[slot].stage else { return }
        message.repliesLeft -= 1
        slots[slot].stage = .saying(message)
        completeIfDone(message, slot, at: now)
    }

    private mutating func completeIfDone(_ message: Message, _ slot: Int, at now: Instant) {
        guard message.repliesLeft <= 0, !message.ends else { return }
        tally.answered += 1
        sayingCount -= 1
        slots[slot].line += 1
        let talk = plan.talks[slots[slot].talk]
        if slots[slot].line < talk.lines.count { return becomeReady(slot) }
        slots[slot].line = 0
        if talk.repeats { becomeReady(slot) } else { replaceUser(of: slot, at: now) }
    }

    private mutating func giveUp(_ error: LoadError, _ slot: Int, at now: Instant) {
        tally.count(error)
        sayingCount -= 1
        let talk = plan.talks[slots[slot].talk]
        guard talk.repeats else { return replaceUser(of: slot, at: now) }
        slots[slot].line = (slots[slot].line + 1) % talk.lines.count
        becomeReady(slot)
    }

    /// Counts an undelivered message. The slot then pauses: if the server refuses every message, retries would keep the
    /// loop busy.
    private mutating func undelivered(_ slot: Int, at now: Instant) {
        tally.count(.notDelivered)
        sayingCount -= 1
        outputs.append(.leave(slot: slot))
        slots[slot].stage = .failed
        wait(LoadLimits.retryPause, slot, at: now)
    }

    private mutating func ended(_ slot: Int, at now: Instant) {
        switch slots[slot].stage {
        case .unused, .failed, .over: return
        case .opening, .greeting: return fail(.endedEarly, slot, at: now)
        case .ready:
            // The slot pauses: a server that ends every session at once would keep the loop busy.
            if slots[slot].line == 0 { return fail(.endedEarly, slot, at: now) }
        case .saying(let message):
            sayingCount -= 1
            if message.ends, message.isEchoed, message.repliesLeft <= 0 {
                tally.answered += 1
            } else {
                tally.count(.endedEarly)
            }
        }
        replaceUser(of: slot, at: now)
    }

    private mutating func replaceUser(of slot: Int, at now: Instant) {
        outputs.append(.leave(slot: slot))
        slots[slot].talk = (slots[slot].talk + 1) % plan.talks.count
        slots[slot].deadline = nil
        if phase == .opening || phase == .talking {
            open(slot, at: now)
        } else {
            slots[slot].stage = .over
        }
    }

    private mutating func wait(_ patience: Interval, _ slot: Int, at now: Instant) {
        slots[slot].deadline = now + patience
        deadlines.arm(slot, at: now + patience)
    }
}

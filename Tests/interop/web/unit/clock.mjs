// A clock that tests turn, and the way to a server that is not there.
export class Clock {
    time = 1_768_469_400_000;
    timers = new Map();
    last = 0;
    now = () => this.time;
    after = (ms, run) => (this.timers.set(++this.last, { at: this.time + ms, run }), this.last);
    cancel = (timer) => this.timers.delete(timer);

    /** Fires what is due, in order; lets promises settle between. */
    async run(ms) {
        const until = this.time + ms;
        await settled();
        for (;;) {
            const [id, next] = [...this.timers].sort((a, b) => a[1].at - b[1].at || a[0] - b[0])[0] ?? [];
            if (!next || next.at > until) break;
            this.timers.delete(id);
            this.time = Math.max(this.time, next.at);
            next.run();
            await settled();
        }
        this.time = until;
    }
}

export const settled = async () => {
    for (let i = 0; i < 20; i++) await null;
};

/** Sockets that a test opens, feeds and closes. */
export function sockets() {
    const made = [];
    class Socket {
        readyState = 0;
        sent = [];
        constructor(url) {
            this.url = new URL(url);
            made.push(this);
        }
        send(text) {
            this.sent.push(JSON.parse(text));
        }
        close() {
            this.readyState = 3;
        }
        open(events = []) {
            this.readyState = 1;
            this.onopen?.();
            this.onmessage?.({ data: JSON.stringify({ id: "b", sequence: null, type: "EVENT_TYPE_EVENT_BATCH", payload: { events } }) });
        }
        drop(code = 1006) {
            this.readyState = 3;
            this.onclose?.({ code });
        }
    }
    return { Socket, made };
}

// Runs recorded talks of Tests/Data/chat through store.js; the format is in the README beside them.
import { readFileSync, readdirSync } from "node:fs";
import { create, due, rows, step, suggestions } from "../../../../Server/Pages/web/shared/store.js";
import { age, words } from "../../../../Server/Pages/web/shared/i18n.js";
import { announcement } from "../../../../Server/Pages/web/shared/speech.js";

const data = new URL("../../../Data/chat/", import.meta.url);
export const read = (name) => JSON.parse(readFileSync(new URL(name, data), "utf8"));
export const names = readdirSync(data).filter((name) => name.endsWith(".json") && name !== "markdown.json").sort();
export const english = JSON.parse(readFileSync(new URL("../../../../Server/Pages/web/shared/strings/en.json", import.meta.url), "utf8"));
const { say } = words([english], "en", "UTC");

export class Player {
    /** draws: the rows are made after each step, as a page does, so that nothing may be kept that a later step changes. */
    constructor(log, { draws = true } = {}) {
        this.draws = draws;
        this.begins = Date.parse(log.begins);
        this.now = this.begins;
        this.state = create({ zone: "UTC", ...log.options });
        this.sent = [];
        this.announcements = [];
    }

    take(action, now) {
        for (const effect of step(this.state, action, now)) {
            if (effect.send) this.sent.push(effect.send.key);
            if (effect.announce) this.announcements.push(announcement(effect.announce, say));
        }
    }

    /** Performs one step of a log, with all that is due before it. */
    play({ at, frame, ...rest }) {
        const until = this.begins + at;
        for (let next; (next = due(this.state, this.now)) !== null && next <= until; ) {
            this.now = next;
            this.take({ do: "tick" }, next);
        }
        this.now = until;
        if (frame) this.take({ do: "frame", frame }, until);
        else this.take(rest.do ? rest : { do: "tick" }, until);
        if (this.draws) rows(this.state);
    }

    snapshot() {
        const { state } = this;
        const clean = (value) => JSON.parse(JSON.stringify(value));
        return clean({
            rows: rows(state).map((row) => this.row(row)),
            typing: state.typing?.name ?? null,
            suggestions: suggestions(state)?.list.map((each) => each.text) ?? [],
            ended: state.ended?.by ?? null,
            presence: state.presence,
            person: state.person?.name ?? null,
            unread: state.unread,
            below: state.below,
            language: state.language,
            sent: this.sent,
            announcements: this.announcements,
        });
    }

    row({ row, item, position, at }) {
        const iso = (time) => new Date(time).toISOString();
        if (row === "time") return { row, day: age(at, this.now + this.state.offset, this.state.options.zone), at: iso(at) };
        if (row === "unread") return { row };
        if (row === "system") {
            const { event, level, label, args, text, link } = item;
            return { row, event, level, ...(text === undefined ? { key: label, args } : { text }), link };
        }
        const { id, from, name, text, delivery, done, interrupted, attachments, unknown, calls } = item;
        return {
            row, id, from, name, at: delivery === undefined || delivery === "sent" ? iso(item.at) : undefined, text, position, delivery,
            streaming: done ? undefined : true, interrupted: interrupted || undefined,
            attachments: done && attachments.length ? attachments : undefined, unknown: unknown || undefined,
            calls: done && calls.length ? calls : undefined,
        };
    }
}

/** All numbered events of the steps before `end`, batches opened, as one batch. */
export function history(steps, end) {
    const events = steps.slice(0, end).flatMap(({ frame }) => frame?.payload?.events ?? (frame ? [frame] : []));
    const numbered = [...new Map(events.filter((each) => Number.isInteger(each.sequence)).map((each) => [each.id, each])).values()];
    numbered.sort((a, b) => a.sequence - b.sequence);
    const last = steps.slice(0, end).findLast((each) => each.frame?.timestamp)?.frame.timestamp ?? numbered.at(-1)?.timestamp ?? null;
    return { id: `batch-${end}`, sequence: null, timestamp: last, type: "EVENT_TYPE_EVENT_BATCH", payload: { events: numbered } };
}

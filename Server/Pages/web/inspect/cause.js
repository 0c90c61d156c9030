// Why a row is there. The server says most of it (`cause`, `place`, `by`, `timer`); what it does not say follows from
// the rows around.

import { json, name } from "./words.js";

const heard = (row) => row.dir === "in" && (row.kind === "ws" || row.kind === "rest");

const before = (row, rows, is) => {
	for (let at = rows.length - 1; at >= 0; at -= 1) if (rows[at].n < row.n && is(rows[at])) return rows[at];
};

/** Number of the client's row that brought `row` about. */
const client = (row, rows) => {
	if (row.cause) return row.cause;
	if (row.dir === "in") return undefined;
	if (row.kind === "rest") {
		return before(row, rows, (r) => heard(r) && r.kind === "rest" && r.socket === row.socket && r.type === row.type)?.n;
	}
	if (row.type === "EVENT_BATCH") return before(row, rows, (r) => r.kind === "rest" && r.dir === "in" && r.socket === row.socket)?.n;
	const isEcho = (r) => r.dir === "in" && r.kind === "ws" && r.type === row.type && (!row.corr || !r.corr || r.corr === row.corr);
	if (row.kind !== "rule" && row.kind !== "fault" && row.kind !== "law" && !row.rule) {
		const own = before(row, rows, isEcho);
		if (own) return own.n;
		if (row.type === "SYSTEM_MESSAGE") {
			const last = before(row, rows, (r) => r.dir === "in");
			return last?.flags?.includes("error") ? last.n : undefined;
		}
		const asks = { POLY_AGENT_JOINED: "REQUEST_POLY_AGENT_JOIN", SESSION_END: "USER_END_SESSION" }[row.type];
		return asks && (row.type !== "SESSION_END" || endsBy(row) === "USER") ? before(row, rows, (r) => r.dir === "in" && r.type === asks)?.n : undefined;
	}
	if (row.kind === "law") return before(row, rows, (r) => heard(r) && (!row.socket || r.socket === row.socket))?.n;
	// Rows of rules have the words that were heard; the client may have said more before the reply.
	const own = row.kind === "rule" ? row : row.rule ? ruleRow(row, rows) : undefined;
	const isMessage = (r) => r.dir === "in" && r.type === "USER_MESSAGE";
	return (own && before(own, rows, (r) => isMessage(r) && json(r)?.payload?.text === own.raw) || before(row, rows, isMessage))?.n;
};

/** The row of kind rule that says which rule a frame comes from. */
const ruleRow = (row, rows) => before(row, rows, (r) => r.kind === "rule" && r.type === row.rule);

/**
 * The causes of a row, the nearest first: `{kind, title, text, row?, rule?, place?, trouble?, timer?, by?, law?}`.
 *
 * - `rows`: those of its session, or of its socket where it has none.
 * - `facts`: `place(rule)` gives `file:line` of a rule of the session; `author(id)` who pushed an event.
 */
export const causes = (row, rows, facts = {}) => {
	const found = [];
	const by = row.by ?? facts.author?.(row.id);
	if (row.kind === "law") {
		found.push({ kind: "law", title: "Law", text: row.type, law: row.type });
	}
	if (row.kind === "fault" || row.fault) {
		const trouble = row.fault || row.type;
		found.push({ kind: "trouble", title: "Trouble", text: trouble, trouble });
	}
	if (row.flags?.includes("replayed") && row.kind !== "rest") {
		found.push({ kind: "replay", title: "History", text: "told again to a client that connected, from behind its cursor" });
	}
	if (by) found.push({ kind: "person", title: "Person", text: by, by });
	if (row.rule) {
		const place = row.place ?? facts.place?.(row.rule);
		const own = row.kind === "rule" ? row : ruleRow(row, rows);
		found.push({ kind: "rule", title: "Rule", text: row.rule, rule: row.rule, place, row: own && own !== row ? own.n : undefined });
	} else if (row.place) found.push({ kind: "rule", title: "Fixture", text: row.place, place: row.place });
	if (row.flags?.includes("unmatched")) found.push({ kind: "unmatched", title: "Unmatched", text: "no rule heard this message" });
	const timer = row.timer ?? (row.type === "SESSION_IDLE_WARNING" ? "idle warning" : endsBy(row) === "ABANDONED" ? "idle end" : "");
	if (timer && !by && !row.rule) found.push({ kind: "timer", title: "Timer", text: timer, timer });
	const n = by ? row.cause : client(row, rows);
	if (n && n !== row.n) {
		const cause = rows.find((r) => r.n === n);
		found.push({
			kind: "frame", title: cause?.kind === "rest" ? "Request" : "Client’s frame",
			text: cause ? name(cause.type) : `row ${n}`, row: n,
		});
	}
	if (!found.length) found.push(...origin(row, rows, facts));
	return found;
};

/** `NATURAL_END`, `USER_END` or `ABANDONED`, of a row that ends a session. */
const endsBy = (row) => row.type === "SESSION_END" && /REASON_(?:USER_(?=ABAND))?(\w+?)(?:_END)?"/.exec(row.raw ?? "")?.[1];

const origin = (row, rows, facts) => {
	if (row.dir === "in") return [{ kind: "client", title: "Client", text: "the client sent it by itself" }];
	if (row.kind === "clock") return [{ kind: "person", title: "Clock", text: "moved by the controls" }];
	// What a script does without a rule's name in the row goes on from the rule that answered last.
	const rule = before(row, rows, (r) => r.kind === "rule" && r.rule);
	if (rule) return [{ kind: "rule", title: "Rule", text: rule.rule, rule: rule.rule, place: rule.place ?? facts.place?.(rule.rule), row: rule.n }];
	const joined = before(row, rows, (r) => r.type === "POLY_AGENT_JOINED");
	if (joined) return [{ kind: "script", title: "Fixture", text: "the greeting", row: joined.n }];
	return [{ kind: "script", title: "Fixture", text: "the script, by itself" }];
};

/** What a row brought about: numbers of rows, in order. */
export const effects = (row, rows) => rows
	.filter((other) => other.n > row.n && other.n < row.n + 2000 && (
		row.kind === "rule" ? other.rule === row.rule && ruleRow(other, rows) === row : client(other, rows) === row.n))
	.map((other) => other.n);

/** The rows of broken laws, by the number of the frame that broke them. */
export const breaches = (rows) => {
	const found = new Map();
	for (const row of rows) {
		if (row.kind !== "law") continue;
		const n = client(row, rows) ?? row.n;
		found.set(n, [...found.get(n) ?? [], row]);
	}
	return found;
};

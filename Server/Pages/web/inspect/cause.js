// Why a row is there, by what the server says of it: `cause`, `rule` with its `place`, `by`, `timer`, `fault`.

import { name } from "./words.js";

/** The row of kind rule that says which rule a frame comes from. */
const ruleRow = (row, rows) => rows.findLast((other) =>
	other.n < row.n && other.kind === "rule" && other.rule === row.rule && other.cause === row.cause);

/**
 * The causes of a row, the nearest first: `{kind, title, text, row?, rule?, place?, fault?, timer?, by?, protocolRule?}`.
 *
 * `rows`: those of its session, or of its socket where it has none.
 */
export const causes = (row, rows) => {
	const found = [];
	const add = (kind, title, text, more) => found.push({ kind, title, text, ...more });
	if (row.kind === "violation") add("violation", "Protocol rule", row.type, { protocolRule: row.type });
	const fault = row.fault ?? (row.kind === "fault" && !row.by && row.type);
	if (fault) add("fault", "Fault", fault, { fault });
	if (row.flags?.includes("replayed") && row.kind !== "rest") add("replay", "History", "sent again");
	if (row.by) add("person", "Person", row.by, { by: row.by });
	if (row.rule) add("rule", "Rule", row.rule,
		{ rule: row.rule, place: row.place, row: row.kind === "rule" ? undefined : ruleRow(row, rows)?.n });
	else if (row.place) add("rule", "Fixture", row.place, { place: row.place });
	if (row.flags?.includes("unmatched")) add("unmatched", "Unmatched", "no rule heard this message");
	if (row.timer) add("timer", "Timer", row.timer, { timer: row.timer });
	if (row.cause) {
		const cause = rows.find((other) => other.n === row.cause);
		add("frame", cause?.kind === "rest" ? "Request" : "Client’s frame", cause ? name(cause.type) : `row ${row.cause}`,
			{ row: row.cause });
	}
	if (found.length) return found;
	// The end of a talk closes its connections.
	const end = row.kind === "control" && rows.findLast((each) => each.n < row.n && each.socket === row.socket
		&& each.type === "SESSION_END");
	if (end) add("frame", "End", name(end.type), { row: end.n });
	else if (row.dir === "in") add("client", "Client", "the client, unasked");
	else if (row.kind === "clock") add("person", "Clock", "by the controls");
	else add("script", "Fixture", "the script, automatically");
	return found;
};

/** What a row brought about: numbers of rows, in order. */
export const effects = (row, rows) => rows
	.filter((other) => other.n > row.n && (
		row.kind === "rule" ? other.rule === row.rule && ruleRow(other, rows) === row : other.cause === row.n))
	.map((other) => other.n);

/** The rows of broken protocol rules, by the number of the frame that broke them. */
export const violations = (rows) => {
	const found = new Map();
	for (const row of rows) {
		if (row.kind === "violation") found.set(row.cause ?? row.n, [...found.get(row.cause ?? row.n) ?? [], row]);
	}
	return found;
};

// Runs as trees, and talks side by side. Nothing here touches the page.

const at = (entry) => Date.parse(entry?.time);
const changes = (patch) => Array.isArray(patch) ? patch.map(({ op, path }) => `${op} ${path}`).join(", ")
	: "State changed";

/** What an event begins. All others make something longer. */
const begun = {
	stepStarted: ({ name }) => ({ kind: "step", title: name }),
	callStarted: ({ id, name, title = name, label }) =>
		({ kind: "call", id, title, name, label, args: "", state: "working" }),
	textStarted: ({ id, name, role }) => ({ kind: "text", id, title: name ?? role, value: "" }),
	reasoningStarted: () => ({ kind: "reasoning", title: "Reasoning", value: "" }),
	state: ({ value }) => ({ kind: "state", title: "State", value }),
	subagentStarted: ({ id, name }) => ({ kind: "step", title: name, subagent: id }),
	stateChanged: ({ value }) => ({ kind: "state", title: changes(value), value }),
};
begun.stateTarget = begun.state;

/**
 * A run as a tree: `{kind, title, from, to, children, args, value, state, entries}`; `entries` are numbers of events.
 */
export const tree = (run) => {
	const root = { kind: "run", title: `Run ${run.number}`, from: at(run.entries[0]), children: [], entries: [],
		state: "running" };
	const open = [root], byID = new Map();
	let reasoning;
	const add = (entry, node) => {
		Object.assign(node, { from: at(entry), to: at(entry), entries: [entry.n], children: [] });
		open.at(-1).children.push(node);
		if (entry.id) byID.set(entry.id, node);
		return node;
	};
	for (const entry of run.entries) {
		const { kind, id, value, text } = entry;
		root.to = at(entry);
		if (begun[kind]) {
			const node = add(entry, begun[kind](entry));
			if (node.kind === "step") open.push(node);
			if (node.kind === "reasoning") reasoning = node;
			continue;
		}
		if (kind === "reasoningTextStarted" && reasoning) byID.set(id, reasoning);
		let node = byID.get(id);
		if (kind === "stepFinished" || kind === "subagentEnded") {
			const place = open.findLastIndex((each) => each.kind === "step"
				&& (id ? each.subagent === id : each.title === entry.name));
			node = place > 0 ? open.splice(place, 1)[0] : root;
		} else if (["started", "messages", "finished", "failed"].includes(kind)) node = root;
		node ??= add(entry, { kind: entry.isFault ? "failed" : "other",
			title: [kind, entry.name ?? entry.label].filter(Boolean).join(" "), value });
		if (node.to !== root.to || node.entries.at(-1) !== entry.n) node.entries.push(entry.n);
		node.to = root.to;
		if (kind === "callDelta") node.args += text;
		else if (kind.endsWith("Delta")) node.value += text;
		else if (kind === "callResult") Object.assign(node, { value, state: entry.hasFailed ? "failed" : "done" });
		else if (kind === "suggestions") node.offers = value;
		else if (kind === "finished" || kind === "failed") {
			root.state = entry.outcome ?? kind;
			for (const call of byID.values()) if (call.state === "working") call.state = "waits";
			for (const ask of entry.asks ?? []) add(entry,
				{ kind: "ask", title: ask.text ?? ask.name, value: ask, state: "waits" });
			if (kind === "failed") add(entry, { kind, title: text, value: entry.code, state: kind });
			else if (value !== undefined) add(entry, { kind: "result", title: "Result", value });
		}
	}
	return root;
};

/** Rows of a talk: `{time, kind, text, count, sent: {protocol: [{type, texts}]}}`; pieces of one text are one row. */
export const sideBySide = (talk) => {
	const rows = [], pieces = new Map();
	for (const { time, kind, sequence, run, id, message, name, outcome, value, text, sent } of talk) {
		const isPiece = kind.endsWith("Delta") || kind === "agentChunk", key = kind + (id ?? message);
		if (!isPiece) pieces.clear();
		let row = pieces.get(key);
		if (!row) {
			rows.push(row = { time, kind, sequence, run, count: 0, text: "", sent: {} });
			if (isPiece) pieces.set(key, row);
		}
		row.count += 1;
		row.text += text ?? [name ?? outcome, JSON.stringify(value)].filter(Boolean).join(" ");
		for (const [wire, messages] of Object.entries(sent)) {
			const list = row.sent[wire] ??= [];
			for (const { type, text } of messages) {
				const same = list.find((each) => each.type === type);
				if (same) same.texts.push(text);
				else list.push({ type, texts: [text] });
			}
		}
	}
	return rows;
};

/** An answer by its schema. */
export const guess = (schema) => {
	if (schema?.enum) return schema.enum[0];
	if (schema?.properties) return Object.fromEntries(
		Object.entries(schema.properties).map(([name, inner]) => [name, guess(inner)]));
	return { boolean: true, string: "", number: 0, object: {} }[schema?.type] ?? null;
};

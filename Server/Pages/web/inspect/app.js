// The state of the inspector and its updates from the server. Views read `app` and listen to its topics.

import { Drafts } from "./drafts.js";
import { RowLog } from "./log.js";

const tokenKey = "polymock control token";

/** Requests to the control API. Failures are errors with the server's own sentence. */
export class Server {
	async ask(method, path, { query, body, type, raw } = {}) {
		const asked = Object.entries(query ?? {}).filter(([, value]) => value != null && value !== "");
		const address = `/_mock/${path}${asked.length ? "?" + new URLSearchParams(asked) : ""}`;
		const headers = { Accept: "application/json" };
		const token = sessionStorage.getItem(tokenKey);
		if (token) headers["X-Mock-Token"] = token;
		if (body !== undefined) headers["Content-Type"] = type ?? "application/json";
		else if (method !== "GET") headers["X-Mock-Control"] = "1";
		let answer;
		try {
			answer = await fetch(address, { method, headers, body: body === undefined || type ? body : JSON.stringify(body) });
		} catch {
			throw Object.assign(new Error("The server does not answer. Is polymock still running?"), { isLost: true });
		}
		if (raw && answer.ok) return answer;
		const text = await answer.text();
		let value;
		try { value = JSON.parse(text) } catch { value = {} }
		if (answer.ok) return value;
		if (answer.status === 401 && await this.askToken?.(Boolean(token))) return this.ask(method, path,
			{ query, body, type, raw });
		throw Object.assign(new Error(value.error?.message ?? `The server answered ${answer.status}.`),
			{ status: answer.status, value });
	}

	get(path, query) { return this.ask("GET", path, { query }) }
	post(path, body) { return this.ask("POST", path, { body }) }
	put(path, body) { return this.ask("PUT", path, { body }) }
	delete(path) { return this.ask("DELETE", path) }

	setToken(token) { sessionStorage.setItem(tokenKey, token) }
	get token() { return sessionStorage.getItem(tokenKey) }
}

/** Rows and changes as they come. Goes on where it was when the connection is lost. */
export class Feed {
	wait = 500;
	buffer = [];

	/**
	 * - query(): of the address, with `after`. - take(items): in bunches. - state(isLive). - again(): before coming
	 * back.
	 */
	constructor(server, options) { Object.assign(this, { server }, options) }

	open() {
		if (this.isClosed) return;
		const query = new URLSearchParams(Object.entries(this.query()).filter(([, value]) => value != null && value !== ""));
		if (this.server.token) query.set("token", this.server.token);
		const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/_mock/feed?${query}`);
		this.socket = socket;
		socket.onopen = () => { this.wait = 500; this.state?.(true) };
		socket.onmessage = ({ data }) => {
			this.buffer.push(JSON.parse(data));
			this.timer ??= setTimeout(() => this.flush(), 33);
		};
		socket.onclose = () => {
			this.flush();
			if (this.isClosed) return
			this.state?.(false);
			this.wait = Math.min(this.wait * 2, 5000);
			setTimeout(async () => {
				try { await this.again?.() } catch { /* it is still gone: the socket will say so */ }
				this.open();
			}, this.wait);
		};
	}

	flush() {
		clearTimeout(this.timer);
		this.timer = undefined;
		const items = this.buffer;
		this.buffer = [];
		if (items.length) this.take(items);
	}

	close() {
		this.isClosed = true;
		this.socket?.close();
	}
}

export const app = {
	server: new Server(),
	log: new RowLog(),
	sessions: new Map(),
	faults: [], presets: [], effects: [], moments: [],
	clock: null, clockAt: 0,
	fixtures: [], fixtureNews: new Map(),
	/** Texts under way: of fixtures, of answers. */
	drafts: new Drafts(),
	unmatched: [], policy: "",
	protocolRules: [], violations: [],
	health: {},
	intercepted: [],
	by: "Inspector",
	state: "Loading",
	isPaused: false,
	/** Rows up to this one were cleared away by the reader. */
	clearedAt: 0,
	/** Rows that the server let go, and rows that were too many to be sent. */
	dropped: 0, skipped: 0,

	listeners: new Map(),
	on(topics, hear) {
		for (const topic of topics.split(" ")) {
			if (!this.listeners.has(topic)) this.listeners.set(topic, new Set());
			this.listeners.get(topic).add(hear);
		}
		return () => topics.split(" ").forEach((topic) => this.listeners.get(topic).delete(hear));
	},
	emit(topic, value) { for (const hear of [...this.listeners.get(topic) ?? []]) hear(value, topic) },
	set(topic, members) {
		Object.assign(this, members);
		this.emit(topic);
	},

	/** Time of the server's clock, reckoned on from the last word of it. */
	now() {
		if (!this.clock) return Date.now();
		return Date.parse(this.clock.now) + (performance.now() - this.clockAt) * this.clock.scale;
	},
};

// MARK: - Learning

const { server, log } = app;

const takeSession = (session) => { app.sessions.set(session.id, session) };

export const load = {
	async sessions() {
		const { sessions } = await server.get("sessions");
		app.sessions = new Map(sessions.map((session) => [session.id, session]));
		app.emit("sessions");
	},
	async faults() {
		const { faults, presets, effects, moments } = await server.get("faults");
		app.set("faults", { faults, presets, effects, moments });
	},
	async clock() { app.set("clock", { clock: await server.get("clock"), clockAt: performance.now() }) },
	async fixtures() { app.set("fixtures", { fixtures: (await server.get("fixtures")).fixtures }) },
	async unmatched() {
		const last = app.unmatched.at(-1)?.number;
		const { unmatched, policy } = await server.get("unmatched", { after: last });
		app.set("unmatched", { unmatched: [...app.unmatched, ...unmatched].slice(-1000), policy });
	},
	async violations() {
		const { protocolRules, violations } = await server.get("violations");
		app.set("violations", { protocolRules, violations });
	},
	async health() { app.set("health", { health: await server.get("health") }) },
};

/** Runs each of these once, soon; many wishes are one. */
const wishes = new Map();
export const refresh = (...names) => {
	for (const name of names) {
		if (wishes.has(name)) continue;
		wishes.set(name, setTimeout(async () => {
			wishes.delete(name);
			try { await load[name]() } catch { /* the feed says that the server is gone */ }
		}, 120));
	}
};

// MARK: - The feed

const takes = {
	session: takeSession,
	forgotten: (id) => app.sessions.delete(id),
	faults: (faults) => app.set("faults", { faults }),
	clock: (clock) => app.set("clock", { clock, clockAt: performance.now() }),
	fixture: (news) => { app.fixtureNews.set(news.name, news); app.emit("fixture", news); refresh("fixtures") },
	unmatched: (item) => app.set("unmatched", { unmatched: [...app.unmatched, item].slice(-1000) }),
	violation: (item) => { app.set("violations", { violations: [...app.violations, item].slice(-1000) }) },
	intercepted: (intercepted) => app.set("intercepted", { intercepted }),
	dropped: (n) => app.set("gap", { dropped: app.dropped + n }),
	skipped: (gap) => app.set("gap",
		{ skipped: app.skipped + gap.rows, gapFrom: Math.min(app.gapFrom ?? gap.from, gap.from) }),
	reset: () => startOver(),
};

const take = (items) => {
	const rows = [];
	let sessions = false;
	for (const item of items) {
		if (item.row) { rows.push(item.row); continue }
		for (const [name, value] of Object.entries(item)) takes[name]?.(value);
		sessions ||= Boolean(item.session || item.forgotten);
	}
	if (sessions) app.emit("sessions");
	if (rows.length) takeRows(rows);
};

const takeRows = (rows) => {
	const added = log.add(rows);
	if (added.length) app.emit("rows", added);
};

const changes = "sessions,faults,clock,fixtures,unmatched,violations,intercepted";
/** Rows at first, and bytes of each; the detail pane asks for the rest. */
const first = 400, shown = 4096;

/** The newest rows at once; older ones after them, page by page. */
const loadRows = async () => {
	const newest = await server.get("wire", { last: first, text: shown });
	app.dropped = newest.dropped;
	app.lastAtStart = newest.last;
	log.last = Math.max(log.last, newest.rows.at(-1)?.n ?? newest.last);
	takeRows(newest.rows);
	return async () => {
		let from = newest.rows[0]?.n ?? 1;
		while (from > newest.dropped + 1 && log.rows.length < log.limit) {
			const until = from - 1;
			from = Math.max(1, from - 2000);
			const { rows } = await server.get("wire", { filter: `n:${from}..${until}`, limit: 10_000, text: shown });
			takeRows(rows);
		}
	};
};

const startOver = async () => {
	log.clear();
	log.last = 0;
	Object.assign(app, { dropped: 0, skipped: 0, clearedAt: 0, unmatched: [], sessions: new Map() });
	app.emit("reset");
	refresh(...snapshot);
	await (await loadRows())();
};

const snapshot = ["sessions", "health", "clock", "faults", "fixtures", "unmatched", "violations"];

/**
 * Opens the feed before it loads the state, so that no change in between is missed. If the feed does not open within a
 * second, the state is loaded without the feed, and again when the feed opens.
 */
export const start = async () => {
	const older = await loadRows();
	let isAsked = false, opened;
	const opening = new Promise((done) => { opened = done });
	app.feed?.close();
	app.feed = new Feed(server, {
		query: () => ({ after: log.last, also: changes, rate: 2000, text: shown }),
		take,
		state: (isLive) => {
			opened();
			if (isLive && isAsked) refresh(...snapshot);
			app.set("feed", { state: isLive ? "Live" : "Disconnected" });
		},
		again: async () => {
			// A server that was started anew counts from 1.
			const { last } = await server.get("wire", { last: 0 });
			if (last < log.last) await startOver();
		},
	});
	app.feed.open();
	await Promise.race([opening, new Promise((done) => setTimeout(done, 1000))]);
	isAsked = true;
	await Promise.all(snapshot.map((name) => load[name]()));
	older();
};

/** Rows that were too many to be sent. */
export const fillGap = async () => {
	const { rows } = await server.get("wire", { filter: `n:${app.gapFrom}..`, limit: 10_000 });
	app.set("gap", { skipped: 0, gapFrom: undefined });
	takeRows(rows);
};

/** A row with all its text. */
export const whole = async (row) => {
	if (!row.cut) return row;
	const { rows } = await server.get("wire", { filter: `n:${row.n}`, limit: 1 });
	return rows[0] ?? row;
};

// The way to the server: token, session, socket, and what to do when one is lost. Time, chance, network and storage
// come from outside, so that tests can turn them.

const TYPE = "EVENT_TYPE_", OPEN = 15_000, LIFE = 3_600_000, REFUSALS = 3, TRIES = 3;

/** The reason that a refusal gives, in the server's own words; "" when it gives none. */
const reasonOf = (answer) => answer.json().then((body) => String(body.error_message ?? "").slice(0, 500), () => "");

/**
 * env: {now, after, cancel, random, fetch, Socket, online, storage}, and what the talk knows: {cursor, joined, ended,
 * capabilities} as functions. options: {server, token, host, streaming, reconnects, platform}. tell is called with
 * {phase, …}, {frame}, {open}, {lost}, {closed}, {renewed: key} or {spoilt}.
 */
export function connect(env, options, tell) {
	const { now, after, cancel, storage } = env;
	const counts = { out: 0, in: 0, spoilt: 0, heartbeats: 0, reconnects: 0, last: 0 };
	let phase = "boot", session = null, socket = null, run = 0, attempt = 0, refusals = 0, since = 0;
	let timer = null, beat = null, opening = null, settling = null, settled = false, heard = 0;

	const enter = (name, more = {}) => tell({ phase: (phase = name), ...more });
	const fail = (reason, more) => {
		enter("failed", { reason, ...more });
		return null;
	};
	const send = (type, payload = {}, custom) => {
		if (socket?.readyState !== 1) return false;
		counts.out += 1;
		socket.send(JSON.stringify({ type: TYPE + type, payload, ...(custom && { metadata: { custom } }) }));
		return true;
	};
	const quiet = () => {
		for (const each of [timer, beat, opening, settling]) cancel(each);
		timer = beat = opening = settling = null;
		if (socket) {
			const old = socket;
			socket = null;
			old.onopen = old.onmessage = old.onclose = null;
			old.close();
		}
	};
	const wait = (attempt) => Math.min(30_000, 1000 * 2 ** (attempt - 1)) * (0.8 + 0.4 * env.random());

	/** One call; tries again while the server is broken, waits while it is busy. Null: it failed. */
	async function call(path, headers, body, mine) {
		for (let tries = 1; mine === run; tries++) {
			let answer = null;
			try {
				answer = await env.fetch(options.server + "/api/v1/" + path,
					{ method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body) });
				if (answer.ok) return await answer.json();
			} catch {
				// No answer.
				answer = null;
			}
			const code = answer?.status, detail = answer && (await reasonOf(answer));
			if (mine !== run) return null;
			if (code === 401 || code === 403) return fail("unauthorized", { code, detail });
			if (code === 429) {
				const seconds = Math.min(30, Number(answer.headers.get("Retry-After")) || 5);
				enter("failed", { reason: "busy", code, n: seconds, until: now() + seconds * 1000 });
				await new Promise((done) => (timer = after(seconds * 1000, done)));
				if (mine === run) enter("connecting");
			} else if ((code && code < 500) || tries > TRIES) return fail("server", { code, detail });
			else await new Promise((done) => (timer = after(wait(tries), done)));
		}
		return null;
	}

	async function create() {
		const mine = ++run;
		quiet();
		enter("connecting");
		if (!options.token) return fail("config");
		const token = await call("access-token", { "X-Token": options.token, "X-Host": options.host }, {}, mine);
		const made = token && mine === run && (
			await call("sessions", { Authorization: "Bearer " + token.access_token },
			{ streaming_enabled: options.streaming, platform: options.platform, extensions: options.extensions }, mine));
		if (!made || mine !== run) return;
		session = { id: made.session_id, token: token.access_token, expires: now() + (token.expires_in ?? 86400) * 1000 };
		keep();
		dial();
	}

	const keep = () => session && storage.save({ ...session, at: now(), sequence: env.cursor() });

	function dial() {
		quiet();
		settled = false;
		const mine = ++run, cursor = env.cursor();
		const query = new URLSearchParams({ session_id: session.id, access_token: session.token });
		if (cursor) query.set("cursor", cursor);
		let opened = false;
		socket = new env.Socket(options.server.replace(/^http/, "ws") + "/ws?" + query);
		opening = after(OPEN, () => socket && lose(1006, opened));
		socket.onopen = () => (opened = true);
		socket.onmessage = ({ data }) => mine === run && receive(data);
		socket.onclose = ({ code }) => mine === run && lose(code, opened);
	}

	function receive(data) {
		let frame;
		try {
			frame = JSON.parse(data);
			if (typeof frame?.type !== "string") throw 0;
		} catch {
			counts.spoilt += 1;
			return tell({ spoilt: data });
		}
		counts.in += 1;
		counts.last = heard = now();
		tell({ frame });
		if (frame.type === TYPE + "EVENT_BATCH" && !settled) {
			// A long history comes in several batches.
			cancel(settling);
			settling = after(frame.payload?.events?.length >= 100 ? 150 : 0, settle);
		} else if (settled && phase !== "open" && /AGENT_JOIN(ED)?$/.test(frame.type)) enter("open");
		if (env.ended()) finish();
	}

	function settle() {
		settled = true;
		attempt = 0;
		since = now();
		cancel(opening);
		if (env.ended()) return finish();
		if (!env.joined()) send("REQUEST_POLY_AGENT_JOIN");
		tell({ open: true });
		if (env.joined()) enter("open");
		const seconds = env.capabilities()?.heartbeat_interval_seconds;
		const pulse = () => {
			if (now() - heard > seconds * 2000) return lose(1006, true);
			heartbeat();
			beat = after(seconds * 1000, pulse);
		};
		if (seconds > 0) beat = after(seconds * 1000, pulse);
	}

	const heartbeat = () => send("HEARTBEAT") && (counts.heartbeats += 1);

	function finish() {
		session = storage.drop();
		enter("ended");
	}

	async function lose(code, opened) {
		const mine = ++run;
		quiet();
		if (settled && now() - since > 10_000) refusals = 0;
		tell({ lost: code });
		if (env.ended()) return finish();
		if (opened && code === 1000) {
			tell({ closed: true });
			return finish();
		}
		if (opened && code === 4000) return enter("replaced");
		if (opened && code === 4001) return renew("conn.newSession");
		if (!opened && env.online() && (await storage.reachable()) && mine === run) return renew("conn.newSession");
		if (mine === run) again();
	}

	/** The session is gone: a new one, three times. */
	function renew(key) {
		refusals += 1;
		session = storage.drop();
		if (refusals > REFUSALS) return fail("sessionLost", { code: 4001 });
		tell({ renewed: key });
		create();
	}

	function again() {
		const budget = options.reconnects ?? env.capabilities()?.max_reconnect_attempts ?? 10;
		if (attempt >= budget) return fail("budget", { n: attempt });
		const pause = wait(++attempt);
		counts.reconnects += 1;
		enter("reconnecting", { attempt, until: now() + pause });
		if (env.online()) timer = after(pause, dial);
	}

	return {
		counts, send, heartbeat, keep,
		get session() { return session; },
		/** how: "new", or anything else for the session that is kept, where there is one. */
		async start(how) {
			enter("boot");
			const kept = how === "new" ? storage.drop() : await storage.load();
			if (kept && (now() > kept.at + LIFE || now() > kept.expires)) {
				storage.drop();
				tell({ renewed: "conn.expired" });
			} else if (kept) {
				session = kept;
				enter("connecting", { resumed: true });
				return dial();
			}
			return create();
		},
		/** By hand: all budgets begin anew. */
		retry() {
			attempt = refusals = 0;
			if (!session) return create();
			enter(env.cursor() ? "reconnecting" : "connecting", { attempt: 1 });
			dial();
		},
		stop: () => (run++, quiet()),
		offline() {
			if (phase !== "open" && phase !== "reconnecting") return;
			run += 1;
			quiet();
			tell({ lost: 0 });
			attempt = 0;
			enter("reconnecting", { attempt: 1 });
		},
		online: () => phase === "reconnecting" && session && dial(),
	};
}

/**
 * Storage that outlives a reload. kind: "tab"; "browser" (tabs share all but the token, which an open tab hands on);
 * "none". reach: whether the server answers.
 */
export function keeper(kind, key, reach, after) {
	const areas = kind === "none" ? {} : window;
	/** What an area has by a name, after it took a given `text`. A browser that keeps nothing still chats. */
	const held = (area, name, text) => {
		try {
			if (text) areas[area].setItem(name, text);
			else if (text === "") areas[area].removeItem(name);
			return areas[area].getItem(name) ?? "";
		} catch {
			return "";
		}
	};
	const read = (area) => {
		try {
			return JSON.parse(held(area, key));
		} catch {
			return null;
		}
	};
	const write = (area, value) => held(area, key, value ? JSON.stringify(value) : "");
	let kept = null;
	const channel = kind === "browser" && window.BroadcastChannel ? new BroadcastChannel(key) : null;
	let asked = null;
	if (channel) channel.onmessage = ({ data }) => {
		if (data.want && data.want === kept?.id) channel.postMessage({ id: kept.id, kept });
		else if (data.kept && asked?.id === data.id) asked.done(data.kept);
	};
	return {
		reachable: reach,
		save(session) {
			kept = session;
			write("sessionStorage", session);
			if (channel) write("localStorage", session && { id: session.id, sequence: session.sequence });
			return session;
		},
		drop() {
			return this.save(null);
		},
		async load() {
			kept = read("sessionStorage");
			const shared = !kept && channel && read("localStorage");
			if (shared?.id) kept = await new Promise((done) => {
				asked = { id: shared.id, done };
				channel.postMessage({ want: shared.id });
				after(300, () => done(null));
			});
			return kept;
		},
		/** Small texts next to it, such as drafts. */
		note: (name, text) => held("sessionStorage", key + name, text),
	};
}

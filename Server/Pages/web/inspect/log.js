// The rows of the wire that the page holds: in order of their numbers, bounded, each once.

/** Characters kept of a frame; the detail pane asks for the rest. */
export const KEPT = 4096;

const trim = (row) => {
	for (const name of ["raw", "mod", "rawBase64", "modBase64"]) {
		if (row[name]?.length > KEPT) { row[name] = row[name].slice(0, KEPT); row.cut = true }
	}
	return row;
};

/** Where `n` is in rows that are sorted by `n`, or where it would go. */
export const place = (rows, n) => {
	let low = 0, high = rows.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (rows[middle].n < n) low = middle + 1;
		else high = middle;
	}
	return low;
};

export class RowLog {
	rows = [];
	/** Rows by session, in order. */
	bySession = new Map();
	/** Number of the newest row that was ever added. */
	last = 0;
	/** Rows that this page let go because it holds `limit` at most. */
	gone = 0;

	constructor(limit = 10_000) { this.limit = limit }

	get first() { return this.rows[0]?.n ?? 0 }

	find(n) {
		const row = this.rows[place(this.rows, n)];
		return row?.n === n ? row : undefined;
	}

	of(session) { return this.bySession.get(session) ?? [] }

	/** Adds rows in any order; those that are there already stay as they are. Returns the new ones, in order. */
	add(rows) {
		const added = [];
		let isAtEnd = true;
		for (const row of rows) {
			if (row.n > this.last) {
				this.rows.push(trim(row));
				this.last = row.n;
			} else {
				const at = place(this.rows, row.n);
				if (this.rows[at]?.n === row.n) continue;
				this.rows.splice(at, 0, trim(row));
				isAtEnd = false;
			}
			if (row.session) {
				let list = this.bySession.get(row.session);
				if (!list) this.bySession.set(row.session, list = []);
				const at = !list.length || list.at(-1).n < row.n ? list.length : place(list, row.n);
				list.splice(at, 0, row);
			}
			added.push(row);
		}
		// In bunches: taking one off the front moves all the others.
		if (this.rows.length > this.limit * 1.05) this.drop(this.rows.length - this.limit);
		return isAtEnd ? added : added.sort((a, b) => a.n - b.n);
	}

	drop(count) {
		const old = this.rows.splice(0, count);
		this.gone += old.length;
		const counts = new Map();
		for (const row of old) if (row.session) counts.set(row.session, (counts.get(row.session) ?? 0) + 1);
		for (const [session, count] of counts) {
			const list = this.bySession.get(session);
			list.splice(0, count);
			if (!list.length) this.bySession.delete(session);
		}
	}

	clear() {
		this.rows = [];
		this.bySession.clear();
	}
}

/** What the switches of the wire hide. */
export const noise = {
	Heartbeats: (row) => row.type === "HEARTBEAT",
	Typing: (row) => /(^|_)(TYPING|THINKING)$/.test(row.type ?? ""),
	Chunks: (row) => (row.type ?? "").endsWith("MESSAGE_CHUNK"),
	"Control frames": (row) => row.kind === "control" && row.type !== "CLOSE",
};

/**
 * The lines of the wire table: rows without what is hidden, the chunks of a message as one line if wished.
 * A line is a row, or `{n, chunks: [row], row}` for a message of several.
 */
export class Lines {
	lines = [];
	hidden = {};
	shut = new Map();

	constructor({ hide = [], joinChunks = false, open = new Set(), from = 0 } = {}) {
		Object.assign(this, { hide, joinChunks, open, from });
	}

	push(rows) {
		for (const row of rows) {
			if (row.n <= this.from) continue;
			const name = this.hide.find((name) => noise[name](row));
			if (name) {
				this.hidden[name] = (this.hidden[name] ?? 0) + 1;
				continue;
			}
			if (this.joinChunks && row.corr && noise.Chunks(row)) {
				const key = `${row.socket} ${row.corr}`;
				const known = this.shut.get(key);
				if (known) {
					known.chunks.push(row);
					if (this.open.has(key)) this.lines.push(row);
					continue;
				}
				const line = { n: row.n, key, row, chunks: [row] };
				this.shut.set(key, line);
				this.lines.push(line);
				if (this.open.has(key)) this.lines.push(row);
				continue;
			}
			this.lines.push(row);
		}
		return this;
	}
}

/** Numbers of the rows that belong together with `row`: its echo, answer, chunks, and what it caused. */
export const related = (row, rows) => {
	if (!row) return [];
	const isKin = (other) =>
		row.corr && other.corr === row.corr || other.cause === row.n || row.cause === other.n
		|| row.cause && other.cause === row.cause;
	return rows.filter((other) => other.n === row.n || isKin(other)).map((other) => other.n);
};

/** Times of replies in milliseconds after what they answer, from the first frame of each to the present one. */
export class Spans {
	first = new Map();
	/** The end of the slowest one. */
	longest = 1;

	push(rows) {
		for (const row of rows) {
			if (row.lat == null || row.dir !== "out" || !/MESSAGE(_CHUNK)?$/.test(row.type ?? "")) continue;
			const key = `${row.socket} ${row.corr ?? row.n}`;
			if (!(this.first.get(key) <= row.lat)) this.first.set(key, row.lat);
			this.longest = Math.max(this.longest, row.lat);
		}
		return this;
	}

	/** `{from, to}` of a frame of a reply; undefined for any other. */
	of(row) {
		const from = this.first.get(`${row.socket} ${row.corr ?? row.n}`);
		return from == null || row.lat == null ? undefined : { from, to: row.lat };
	}
}

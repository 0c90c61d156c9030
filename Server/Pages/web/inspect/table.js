// A table of any length: only the rows in sight are in the page.

import { h } from "./ui.js";

const beyond = 12;

export class Table {
	items = [];
	nodes = new Map();
	start = 0;
	end = 0;
	/** Key of the current row. */
	current = null;
	picked = new Set();

	/**
	 * - columns: `{name, label?, class?, width?, sort?}`; the first one heads its row.
	 * - cells(item): content of each cell, in order. - key(item), mark(item): class names; changes show by `refresh`.
	 * - open(item): Enter or click. - choose(item): the current row changed. - sort(name): a heading was pressed.
	 */
	constructor(options) {
		Object.assign(this, { height: 30, mark: () => "" }, options);
		// Rows grow with the reader's size of text, as the style sheet has it.
		this.height *= parseFloat(getComputedStyle(document.documentElement).fontSize) / 13;
		this.head = h("tr", { "aria-rowindex": 1 });
		this.top = h("tr", { class: "space", "aria-hidden": "true" }, h("td"));
		this.bottom = h("tr", { class: "space", "aria-hidden": "true" }, h("td"));
		this.body = h("tbody", null, this.top, this.bottom);
		this.table = h("table", { "aria-label": this.label, class: `windowed ${this.class ?? ""}` },
			h("colgroup", null, this.columns.map((column) => {
				const col = h("col", { class: column.class });
				if (column.width) col.style.width = column.width;
				return col;
			})), h("thead", null, this.head), this.body);
		this.root = h("div", { class: "scroller", tabIndex: -1, onscroll: () => this.scrolled(),
			onkeydown: (event) => this.pressed(event), onclick: (event) => this.click(event) }, this.table);
		this.heading();
		new ResizeObserver(() => { this.resized?.(); this.draw() }).observe(this.root);
	}

	heading(sorted = this.sorted) {
		this.sorted = sorted;
		this.head.replaceChildren(...this.columns.map((column) => {
			const isSorted = sorted?.name === column.name;
			return h("th", { scope: "col", class: column.class,
				"aria-sort": isSorted ? (sorted.up ? "ascending" : "descending") : null },
				this.sort && column.sort !== false
					? h("button", { type: "button", onclick: () => this.sort(column.name) }, column.label ?? column.name,
						isSorted && h("span", { "aria-hidden": "true" }, sorted.up ? " ↑" : " ↓"))
					: column.label ?? column.name);
		}));
	}

	get isAtEnd() { return this.root.scrollTop + this.root.clientHeight >= this.root.scrollHeight - this.height }

	/** Shows these items; the reader stays at the row that is uppermost in sight. */
	set(items, { keep = true } = {}) {
		const top = Math.floor(this.root.scrollTop / this.height);
		const anchor = keep && this.root.scrollTop > 0 && this.items[top] ? this.key(this.items[top]) : null;
		const offset = this.root.scrollTop - top * this.height;
		this.items = items;
		this.table.setAttribute("aria-rowcount", items.length);
		this.size();
		if (anchor != null) {
			const at = this.indexOf(anchor);
			if (at >= 0 && at !== top) this.root.scrollTop = at * this.height + offset;
		}
		this.draw();
	}

	/** As `set` with more at the end: nothing above moves. */
	grow() {
		this.table.setAttribute("aria-rowcount", this.items.length);
		this.size();
		this.draw();
	}

	size() {
		this.root.classList.toggle("is-empty", !this.items.length);
		this.bottom.firstChild.style.height = `${Math.max(0, this.items.length - this.end) * this.height}px`;
	}

	indexOf(key) {
		// Numbers are in order where there are many.
		if (typeof key === "number" && this.inOrder) {
			let low = 0, high = this.items.length;
			while (low < high) { const m = (low + high) >> 1; if (this.key(this.items[m]) < key) low = m + 1; else high = m }
			return low < this.items.length && this.key(this.items[low]) === key ? low : -1;
		}
		return this.items.findIndex((item) => this.key(item) === key);
	}

	scrolled() {
		this.draw();
		this.moved?.();
	}

	draw() {
		const first = Math.max(0, Math.floor(this.root.scrollTop / this.height) - beyond);
		const last = Math.min(this.items.length,
			Math.ceil((this.root.scrollTop + (this.root.clientHeight || 600)) / this.height) + beyond);
		const wanted = new Map();
		for (let at = first; at < last; at += 1) wanted.set(this.key(this.items[at]), at);
		for (const [key, node] of this.nodes) {
			if (wanted.has(key)) continue;
			if (node.contains(document.activeElement)) this.root.focus({ preventScroll: true });
			node.remove();
			this.nodes.delete(key);
		}
		let after = this.top;
		for (const [key, at] of wanted) {
			let node = this.nodes.get(key);
			const item = this.items[at];
			const version = this.version?.(item);
			// A focused button of a row stays; the row is drawn anew afterwards.
			const isHeld = node && node !== document.activeElement && node.contains(document.activeElement);
			if (!node || !isHeld && (node.item !== item || node.version !== version)) {
				const fresh = this.row(item, at);
				fresh.version = version;
				if (node) {
					const hadFocus = node === document.activeElement;
					node.replaceWith(fresh);
					if (hadFocus) fresh.focus({ preventScroll: true });
				}
				node = fresh;
				this.nodes.set(key, node);
			}
			if (after.nextSibling !== node) after.after(node);
			node.setAttribute("aria-rowindex", at + 2);
			this.state(node, item);
			after = node;
		}
		// One row in sight is in reach of the Tab key.
		if (after !== this.top && ![...this.nodes.values()].some((node) =>
			node.tabIndex === 0)) this.top.nextSibling.tabIndex = 0;
		[this.start, this.end] = [first, Math.max(first, last)];
		this.top.firstChild.style.height = `${first * this.height}px`;
		this.size();
	}

	row(item, at) {
		const contents = this.cells(item, at);
		const node = h("tr", null, this.columns.slice(0, contents.length).map((column, place) => place ? h("td", { class: column.class }, contents[
			place]) : h("th", { scope: "row", class: column.class }, contents[0])));
		node.item = item;
		return node;
	}

	state(node, item) {
		const key = this.key(item);
		const isCurrent = key === this.current;
		node.tabIndex = isCurrent || this.current == null && item === this.items[0] ? 0 : -1;
		const marks = `${this.mark(item)}${isCurrent ? " current" : ""}${this.picked.has(key) ? " picked" : ""}`.trim();
		if (node.className !== marks) node.className = marks;
		if (isCurrent) node.setAttribute("aria-current", "true");
		else node.removeAttribute("aria-current");
	}

	/** Redraws the rows in sight. */
	refresh() {
		for (const node of this.nodes.values()) node.item = null;
		this.draw();
	}

	get currentItem() { return this.items[this.indexOf(this.current)] }

	go(key, { focus = true, open = false } = {}) {
		const at = this.indexOf(key);
		if (at < 0) return false;
		this.current = key;
		const [y, room] = [at * this.height, this.root.clientHeight - this.height * 2];
		if (y < this.root.scrollTop) this.root.scrollTop = y;
		else if (y > this.root.scrollTop + room) this.root.scrollTop = y - room;
		this.draw();
		if (focus) this.nodes.get(key)?.focus({ preventScroll: true });
		this.choose?.(this.items[at]);
		if (open) this.open?.(this.items[at]);
		return true;
	}

	toEnd() { this.root.scrollTop = this.root.scrollHeight }

	click(event) {
		const node = event.target.closest("tbody tr");
		if (!node?.item || event.target.closest("button, a, input, select")) return;
		const key = this.key(node.item);
		if (event.shiftKey || event.ctrlKey || event.metaKey) return this.pick(key, event.shiftKey);
		this.picked.clear();
		this.go(key, { open: true });
	}

	/** Adds a row to the selection, or all from the last one to it. */
	pick(key, isRange) {
		if (!this.canPick) return;
		const from = this.indexOf(this.lastPick ?? this.current ?? key), to = this.indexOf(key);
		if (isRange && from >= 0) for (let at = Math.min(from, to); at <= Math.max(from, to); at += 1) this.picked.add(
			this.key(this.items[at]));
		else {
			if (!this.picked.size && this.current != null && this.current !== key) this.picked.add(this.current);
			if (!this.picked.delete(key)) this.picked.add(key);
		}
		this.lastPick = key;
		this.draw();
		this.picking?.();
	}

	pressed(event) {
		if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
		const at = this.indexOf(this.current);
		const page = Math.max(1, Math.floor(this.root.clientHeight / this.height) - 2);
		const next = { ArrowDown: at + 1, j: at + 1, ArrowUp: at - 1, k: at - 1, Home: 0, End: this.items.length - 1,
			PageDown: at + page, PageUp: at - page }[event.key];
		if (next != null) {
			const item = this.items[Math.max(0, Math.min(this.items.length - 1, next))];
			if (item) this.go(this.key(item));
		} else if (event.key === "Enter" && !event.target.closest("button, a")) {
			if (this.currentItem) this.open?.(this.currentItem);
		} else if (event.key.toLowerCase() === "x" && this.canPick && this.current != null) {
			this.pick(this.current, event.shiftKey);
		} else return
		event.preventDefault();
		event.stopPropagation();
	}
}

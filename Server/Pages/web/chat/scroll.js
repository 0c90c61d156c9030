// The window of a long conversation that is in the page, and whether the page follows new rows.

const NEAR = 24, MOST = 100, BEFORE = 60, BEHIND = 100;

/**
 * Whether it follows. The reader's hand is the only thing that ends it. Events: {do: "up"} (wheel, touch, key or
 * scrollbar took the log away), {do: "settled", distance} (a scroll of the reader ended), {do: "end"} (own message,
 * button).
 */
export const follows = (following, event) =>
	event.do === "up" ? false : event.do === "end" ? true : event.do === "settled" && event.distance <= NEAR ? true
		: following;

/**
 * Which of `length` items are in the page: the newest ones while it follows, else those it shows and what they
 * run into.
 */
export function slide({ lo, hi }, following, length) {
	if (following) return { lo: length - lo > MOST ? length - BEFORE : lo, hi: length };
	return { lo, hi: length - lo <= BEFORE + BEHIND ? length : Math.min(hi, length) };
}

/** The items around one of them. */
export const around = (at, length) => ({ lo: Math.max(0, at - BEFORE), hi: Math.min(length, at + BEHIND) });

/**
 * Both on the page. `log` scrolls; `list` has the rows (their `item` as a property), and `above` and `below` keep the
 * space of those that are not in the page. flip: the newest ones are on top. items() are all; changed(following), draw.
 */
export function scroller({ log, list, above, below, flip, items, changed, draw, after, cancel }) {
	let following = true, last = 0, own = false, touch = 0, timer = null;
	let win = { lo: 0, hi: 0 }, guess = 60, spanned = { to: 0, sum: 0 }, held = null;
	const distance = () => (flip ? log.scrollTop : log.scrollHeight - log.scrollTop - log.clientHeight);
	const feed = (event) => {
		const next = follows(following, event);
		if (next !== following) changed((following = next));
	};
	const toEnd = () => {
		own = true;
		log.scrollTop = flip ? 0 : log.scrollHeight;
		last = log.scrollTop;
	};

	// Space of items: as high as they were, or as high as the others are.
	const measure = () => {
		let from = list.offsetTop, sum = 0, count = 0;
		for (const { item, offsetTop, offsetHeight } of list.children) {
			if (!item) continue;
			sum += item.tall = offsetTop + offsetHeight - from;
			from = offsetTop + offsetHeight;
			count += 1;
		}
		if (count) guess = sum / count;
	};
	const span = (from, to) => {
		if (!from && spanned.to === to) return spanned.sum;
		const all = items();
		let sum = 0;
		for (let i = from; i < to; i++) sum += all[i].tall ?? guess;
		if (!from) spanned = { to, sum };
		return sum;
	};

	/** The uppermost row in sight. */
	const uppermost = () => {
		const view = log.getBoundingClientRect(), { children } = list;
		let lo = 0, hi = children.length;
		while (lo < hi) {
			const middle = (lo + hi) >> 1;
			if (children[middle].getBoundingClientRect().bottom > view.top + 1) hi = middle;
			else lo = middle + 1;
		}
		const top = children[lo]?.getBoundingClientRect().top;
		return top < view.bottom ? { element: children[lo], top: top - view.top } : null;
	};
	const hold = () => (held = following ? null : uppermost());
	const moved = () => (held?.element.isConnected
		? held.element.getBoundingClientRect().top - log.getBoundingClientRect().top - held.top : 0);

	const show = (at) => (win = around(at, items().length));
	/** Shows what is around the reader where the rows in the page come to an end. */
	const look = () => {
		const all = items(), room = log.clientHeight, view = log.getBoundingClientRect(), rows = list.getBoundingClientRect();
		const [hiddenUp, hiddenDown] = flip ? [all.length - win.hi, win.lo] : [win.lo, all.length - win.hi];
		if (!(hiddenUp && rows.top > view.top - room) && !(hiddenDown && rows.bottom < view.bottom + room)) return;
		let at = -1;
		for (let each = held?.element; each && at < 0; each = each.nextElementSibling) if (each.item) at =
			all.indexOf(each.item);
		if (at < 0) {
			// The reader came with the scrollbar to where there are no rows.
			let y = flip ? log.scrollHeight - log.scrollTop : log.scrollTop;
			for (at = 0; at < all.length - 1 && y > 0; at++) y -= all[at].tall ?? guess;
		}
		const { lo, hi } = win;
		show(at);
		if (win.lo !== lo || win.hi !== hi) draw((win.from = { lo, hi }));
	};

	// Something between the pointer and the log that takes the wheel itself.
	const inner = (target, up) => {
		for (let each = target; each && each !== log; each = each.parentElement)
			if (each.scrollHeight > each.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(each).overflowY)
				&& (up ? each.scrollTop > 0 : each.scrollTop + each.clientHeight < each.scrollHeight - 1)) return true;
		return false;
	};
	const away = (way) => (flip ? way > 0 : way < 0);
	const canMove = () => (flip ? log.scrollTop + log.clientHeight < log.scrollHeight - 1 : log.scrollTop > 0);
	log.addEventListener("wheel", (event) => away(event.deltaY) && !event.ctrlKey && canMove() && !inner(event.target,
		!flip) && feed({ do: "up" }), { passive: true });
	log.addEventListener("touchstart", (event) => (touch = event.touches[0].clientY), { passive: true });
	log.addEventListener("touchmove", (event) => {
		const way = touch - event.touches[0].clientY;
		if (Math.abs(way) > 4 && away(way) && log.scrollHeight > log.clientHeight + 1 && !inner(event.target, !flip)) feed(
			{ do: "up" });
	}, { passive: true });
	log.addEventListener("scroll", () => {
		const { scrollTop } = log, way = scrollTop - last;
		// A scrollbar that is dragged: away, and not because the content got shorter.
		if (!own && Math.abs(way) > 1 && away(way) && distance() > NEAR) feed({ do: "up" });
		own = false;
		last = scrollTop;
		hold();
		if (!following) look();
		cancel(timer);
		timer = after(80, () => feed({ do: "settled", distance: distance() }));
	}, { passive: true });

	const keep = () => {
		if (following) distance() > 0.5 && toEnd();
		else if (moved()) log.scrollTop += moved();
	};
	new ResizeObserver(keep).observe(log);
	return {
		keep, show, away,
		get following() { return following; },
		up: () => feed({ do: "up" }),
		end() {
			feed({ do: "end" });
			toEnd();
		},
		reset: () => (win = { lo: 0, hi: 0 }),
		/** Before the rows are drawn: which items they are of. */
		window() {
			const from = win.from ?? win;
			win = slide(win, following, items().length);
			if (win.lo > from.lo || win.hi < from.hi) measure();
			hold();
			return win;
		},
		/** When they are drawn: the reader stays where they were. */
		settle() {
			const { length } = items(), [up, down] = flip ? [span(win.hi, length), span(0, win.lo)] : [span(0, win.lo),
				span(win.hi, length)];
			above.style.blockSize = up + "px";
			below.style.blockSize = down + "px";
			if (following) return keep();
			// What was guessed wrong is taken from the space above, so that a scroll under way goes on; at the top there is
			// none.
			const shift = moved(), left = flip ? length - win.hi : win.lo;
			if (shift && left && up - shift > left * 10) above.style.blockSize = up - shift + "px";
			else if (shift) log.scrollTop += shift;
			hold();
		},
	};
}

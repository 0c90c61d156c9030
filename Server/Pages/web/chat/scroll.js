// Whether the log follows what is new. The reader's hand is the only thing that ends it.

const NEAR = 24;

/**
 * The machine alone. Events: {do: "up"} (wheel, touch, key or scrollbar took the log up), {do: "settled", distance}
 * (a scroll of the reader ended), {do: "end"} (own message, button). Gives back whether it follows.
 */
export const follows = (following, event) =>
	event.do === "up" ? false : event.do === "end" ? true : event.do === "settled" && event.distance <= NEAR ? true : following;

/** The machine on a scrolling element. changed(following) hears of changes. */
export function scroller(log, changed, after, cancel) {
	let following = true, last = 0, own = false, touch = 0, timer = null;
	const distance = () => log.scrollHeight - log.scrollTop - log.clientHeight;
	const feed = (event) => {
		const next = follows(following, event);
		if (next !== following) changed((following = next));
	};
	const toEnd = () => {
		own = true;
		log.scrollTop = log.scrollHeight;
		last = log.scrollTop;
	};
	// Something between the pointer and the log that takes the wheel itself.
	const inner = (target, up) => {
		for (let each = target; each && each !== log; each = each.parentElement)
			if (each.scrollHeight > each.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(each).overflowY) && (up ? each.scrollTop > 0 : each.scrollTop + each.clientHeight < each.scrollHeight - 1)) return true;
		return false;
	};
	const canMove = () => log.scrollHeight > log.clientHeight + 1;
	log.addEventListener("wheel", (event) => event.deltaY < 0 && !event.ctrlKey && canMove() && log.scrollTop > 0 && !inner(event.target, true) && feed({ do: "up" }), { passive: true });
	log.addEventListener("touchstart", (event) => (touch = event.touches[0].clientY), { passive: true });
	log.addEventListener("touchmove", (event) => event.touches[0].clientY > touch + 4 && canMove() && !inner(event.target, true) && feed({ do: "up" }), { passive: true });
	log.addEventListener("scroll", () => {
		const { scrollTop } = log;
		// A scrollbar that is dragged: up, and not because the content got shorter.
		if (!own && scrollTop < last - 1 && distance() > NEAR) feed({ do: "up" });
		own = false;
		last = scrollTop;
		cancel(timer);
		timer = after(80, () => feed({ do: "settled", distance: distance() }));
	}, { passive: true });
	const keep = () => following && distance() > 0.5 && toEnd();
	new ResizeObserver(keep).observe(log);
	return {
		distance, toEnd, keep,
		get following() { return following; },
		up: () => feed({ do: "up" }),
		end() {
			feed({ do: "end" });
			toEnd();
		},
	};
}

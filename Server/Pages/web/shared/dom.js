// Building and changing pages. Nodes only: the pages' policy refuses markup in strings.

const ICONS = {
	send: "M5 12h14M13 6l6 6-6 6", more: "M4.5 12h1M11.5 12h1M18.5 12h1", down: "M12 5v14M6 13l6 6 6-6",
	next: "M9 6l6 6-6 6", back: "M15 6l-6 6 6 6", check: "M5 13l4 4L19 7", alert: "M12 8v5M12 16.5v.01M12 3l9.5 17h-19z",
	phone: "M5 4h4l2 5-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v4a2 2 0 0 1-2 2A16 16 0 0 1 3 6a2 2 0 0 1 2-2",
	link: "M14 5h5v5M19 5l-9 9M18 14v5H5V6h5", copy: "M9 9h11v11H9zM5 15H4V4h11v1",
	retry: "M4 5v5h5M4.5 10a8 8 0 1 1-.5 4", chat: "M4 5h16v11H9l-5 4z",
};

/** h("button", {class, "aria-label", onclick, …}, children…): properties that are functions listen. */
export function h(tag, properties, ...children) {
	const element = set(document.createElement(tag), properties ?? {});
	element.append(...present(children));
	return element;
}

/** What is there of children in lists of lists: all but null and false. */
export const present = (children) => children.flat(9).filter((each) => each != null && each !== false);

/** Of links that lead elsewhere. */
export const foreign = { target: "_blank", rel: "noopener noreferrer nofollow" };

/** Sets what differs: attributes, listeners (on…), `text` and `value`. null and false take an attribute away. */
export function set(element, properties) {
	for (const [name, value] of Object.entries(properties)) {
		if (typeof value === "function") element.addEventListener(name.slice(2), value);
		else if (name === "value") element.value = value;
		else if (name === "text") element.textContent !== value && (element.textContent = value);
		else if (value == null || value === false) element.removeAttribute(name);
		else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value === true ? "" : value);
	}
	return element;
}

export const icon = (name, turns) => drawing(ICONS[name], 24, turns ? "icon turns" : "icon");

export function svg(tag, values, ...children) {
	const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
	for (const each in values) element.setAttribute(each, values[each]);
	element.append(...children);
	return element;
}

/** Lines of a path on a square of so many units. */
export const drawing = (path, size, name = "icon") =>
	svg("svg", { viewBox: `0 0 ${size} ${size}`, class: name, "aria-hidden": "true" }, svg("path", { d: path }));

/**
 * Makes the children of `parent` those of `list`, in order; elements of the same key stay the same element.
 *
 * make(entry) builds one; change(element, entry) brings it up to date.
 */
export function keyed(parent, list, make, change) {
	const wanted = new Set(list.map((entry) => entry.key)), old = new Map();
	for (const element of [...parent.children]) {
		if (wanted.has(element.dataset.key)) old.set(element.dataset.key, element);
		else element.remove();
	}
	let at = parent.firstElementChild;
	for (const entry of list) {
		let element = old.get(entry.key);
		if (!element) (element = make(entry)).dataset.key = entry.key;
		change(element, entry);
		if (element === at) at = at.nextElementSibling;
		else parent.insertBefore(element, at);
	}
}

/** Tells a screen reader one text after the other, each for two seconds; of more than five it leaves out the oldest. */
export function announcer(region, after) {
	const queue = [];
	const next = () => {
		region.textContent = queue[0] ?? "";
		if (queue.length) after(2000, () => (queue.shift(), next()));
	};
	return (text) => {
		if (queue.push(text) === 1) next();
		else if (queue.length > 5) queue.splice(1, 1);
	};
}

/** Puts text on the clipboard; false when the browser does not let us. */
export const copy = (text) => navigator.clipboard.writeText(text).then(() => true, () => false);

/** Offers text, or a blob, as a file. */
export function download(name, content) {
	const href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type: "text/plain" }));
	h("a", { href, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(href), 1000);
}

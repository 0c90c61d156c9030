// Fixtures: their rules, an editor that lints, a trial.

import { app, load } from "./app.js";
import { marked } from "./detail.js";
import { editor as editorOf } from "./editor.js";
import { replacement } from "./source.js";
import { trial } from "./unmatched.js";
import {
	attempt, button, chip, copy, dialog, download, empty, failure, field, fill, h, icon, menu, notice, pick, plain, tabs,
	toggle, top,
} from "./ui.js";
import { ago, count, diff, millis } from "./words.js";

/** What is wrong with a text, mistakes first. */
const sorted = ({ findings }) => findings.toSorted((a, b) => (b.severity === "error") - (a.severity === "error"));

const chatOf = (name) => `/chat?token=${encodeURIComponent(`mock:${name}`)}&start=new`;
const previous = "previous version active";

const sentence = (news) => {
	if (news.what === "missing") return `${news.name} is gone from disk`;
	if (news.what !== "refused") return `Reloaded ${news.name}`;
	const state = news.hasGoodVersion ? previous : "it cannot be played";
	return `${news.name}.json5 has ${count(news.findings.length, "error")}; ${state}`;
};

/** What a new fixture begins with. */
const template = (name) => `// ${name}: what it says, and when. Save, then open it in the chat.
{
  fixture: 1,
  name: ${JSON.stringify(name)},
  greeting: [ { say: "Hello! How can I help?", suggest: ["When are you open?"] } ],
  anywhere: [
    { name: "hours", hears: ["open", "opening hours"], replies: [ { say: "We are open from nine to five." } ] },
  ],
  otherwise: [ { replies: [ { say: "I have no answer to that yet." } ] } ],
  examples: [ { name: "hours", talk: ["user: when are you open", "agent: We are open"] } ],
}
`;

/** Asks for a name and what to begin with, and writes the file. */
const begin = async (like) => {
	const name = h("input", { "aria-label": "Name", autocomplete: "off", spellcheck: "false", placeholder: "my-fixture",
		value: like ? `${like}-2` : "", required: true });
	const options = [{ value: "", text: "A short template" },
		...app.fixtures.filter((each) => each.inForce).map((each) => ({ value: each.name, text: each.name }))];
	const from = pick("Begin with", options, like ?? "");
	const answer = await dialog(like ? "Duplicate fixture" : "New fixture", [
		h("p", null, "A file of that name is written to the folder of fixtures. A session plays it with the token mock:name."),
		field("Name", name), field("Begin with", from),
	], [["Cancel", ""], ["Create", "yes", "primary"]]);
	const wanted = name.value.trim();
	if (answer !== "yes" || !wanted) return;
	if (app.fixtures.some((each) => each.name === wanted)) return failure(`There is a fixture called ${wanted} already.`);
	await attempt(async () => {
		const text = from.value ? (await app.server.get(`fixtures/${encodeURIComponent(from.value)}`)).text
			: template(wanted);
		await app.server.put(`fixtures/${encodeURIComponent(wanted)}`, { text, version: null });
		await load.fixtures();
		location.hash = `#/fixtures/${encodeURIComponent(wanted)}`;
	});
};

export const view = ({ parts: [first], query, go }) => {
	const side = h("ul", { class: "files", "aria-label": "Fixture files" });
	const head = h("header", { class: "file-head" });
	const body = h("div", { class: "tab-panel", role: "tabpanel", id: "fixture-panel", "aria-label": "Fixture" });
	const bar = h("div"), alert = h("div", { role: "status", "aria-label": "Changed on disk" });
	const problems = h("div", { class: "problems" });
	const saving = h("p", { class: "note", role: "status", "aria-label": "Save" });
	const node = h("div", { class: "page fixed fixtures" }, h("div", { class: "columns" },
		h("div", { class: "file-list" }, top("Fixtures", h("span", { class: "grow" }), button("New", () => begin()),
			button("Reload now", reload)), side),
		h("section", { class: "file", "aria-label": "Fixture" }, head, bar, alert, body)));
	let name, fixture, draft, box, findings, tab = "Text", typing, unusedOnly = false, checked = 0, asked = 0;
	const key = () => `fixture ${name}`;
	const isUnsaved = () => app.drafts.isUnsaved(key());

	async function reload() {
		await attempt(async () => {
			const { news } = await app.server.post("fixtures/reload", {});
			for (const item of news) app.fixtureNews.set(item.name, item);
			await load.fixtures();
			if (!news.length) notice("Nothing changed on disk");
		});
	}

	const fileRow = (f) => h("li", null,
		h("a", { href: `#/fixtures/${encodeURIComponent(f.name)}`, "aria-current": f.name === name ? "page" : null },
		h("span", { class: "line" }, h("strong", { class: "ellipsis" }, f.name), f.default && chip("default", "info"),
			app.drafts.isUnsaved(`fixture ${f.name}`) && chip("not saved", "warn"),
			(f.error || !f.inForce || app.fixtureNews.get(f.name)?.what === "refused") && chip("error", "bad"),
			!f.file && h("span", { class: "note" }, "built in")),
		h("span", { class: "note" }, f.error ?? f.title ?? "")));
	const drawFiles = () => {
		fill(side, app.fixtures.map(fileRow));
	};
	/** The chosen row stays in sight. */
	const showChosen = () => side.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });

	const saveButton = () => fixture.writable === false
		? button("Download", () => download(`${name}.json5`, draft.text), { title: "This server has no folder to save in" })
		: button("Save", save, { class: "primary", disabled: !isUnsaved(), title: "Ctrl + S" });
	const drawHead = () => {
		if (!name) return fill(head);
		const listed = app.fixtures.find((item) => item.name === name), file = fixture?.file ?? listed?.file;
		fill(head,
			h("div", { class: "line" }, h("a",
				{ href: "#/fixtures", class: "quiet back narrow-only", "aria-label": "All fixtures" }, icon("back")),
				h("h2", { class: "ellipsis" }, listed?.title ?? name), h("span", { class: "grow" }),
				fixture && h("div", { class: "head-buttons" },
					h("a", { class: "button", href: chatOf(name), target: "_blank" }, "Open in chat"),
					menu("More for this fixture", [
						["Side chat", () => app.chatBeside(`mock:${name}`)], ["Duplicate…", () => begin(name)],
						["Copy text", () => copy(draft.text, "Text")], ["Download", () => download(`${name}.json5`, draft.text)]]),
					saveButton())),
			h("div", { class: "line" }, file ? h("span", { class: "note mono ellipsis", title: file }, file)
				: h("span", { class: "note" }, fixture?.source === "text" ? "given as text" : "inside the program"),
			isUnsaved() && chip("not saved", "warn"), fixture && !fixture.inForce && chip(previous, "bad"),
			fixture?.writable === false && chip("read only: --fixtures FOLDER saves", "warn")));
	};

	// MARK: Text

	const lint = async () => {
		const turn = checked += 1, own = name;
		try {
			const answer = await app.server.post("fixtures/check", { name, text: draft.text });
			if (turn !== checked || own !== name) return;
			findings = sorted(answer);
			drawFindings();
		} catch (error) { failure(error.message) }
	};
	const typed = () => {
		fill(saving);
		drawHead();
		clearTimeout(typing);
		typing = setTimeout(lint, 250);
	};
	const place = (finding) => button(`${finding.line}:${finding.column}`, () => jump(finding.line, finding.column),
		{ class: "link" });
	const excerpt = (finding, line) => finding.line && line != null
		&& h("pre", { class: "excerpt" }, line.slice(0, 200),
			`\n${" ".repeat(Math.max(0, Math.min(200, finding.column - 1)))}^`);
	const drawFindings = () => {
		const lines = draft.text.split("\n");
		const fixes = findings.map((finding) => replacement(finding, draft.text));
		const hasFix = findings.some((finding, at) => finding.fix || fixes[at]);
		const fixOf = (finding, at) => fixes[at]
			? button(`${finding.replacement.length ? "Replace by" : "Insert"} ${fixes[at].text}`,
				() => { const fix = replacement(finding, draft.text); if (fix) box?.replace(fix) }) : finding.fix ?? "";
		box?.mark(findings);
		fill(problems, saving, findings.length
			? plain("Fixture problems", ["Place", "Severity", "Message", hasFix && "Fix", "Code"].filter(Boolean),
				findings.map((finding, at) => [
				place(finding), chip(finding.severity, { error: "bad", warning: "warn" }[finding.severity]),
				[finding.message, excerpt(finding, lines[finding.line - 1])], ...hasFix ? [fixOf(finding, at)] : [],
				finding.code ?? ""]))
			: h("p", { class: "note", role: "status", "aria-label": "Fixture problems" }, "No problem found"));
	};
	const jump = (line, column) => {
		if (tab !== "Text") { tab = "Text"; draw() }
		box?.jump(line, column);
	};

	const saved = (answer) => {
		const errors = answer.findings.filter((finding) => finding.severity === "error").length;
		fill(saving, ...answer.inForce
			? ["Saved. New sessions play it; open ones keep the old rules. ",
				h("a", { href: chatOf(name), target: "_blank" }, "Start a new one")]
			: [`Saved. It has ${count(errors, "error")}, so sessions still play the previous version.`]);
	};
	const save = async (force) => {
		if (!fixture || fixture.writable === false) return;
		const text = draft.text, own = name, ownDraft = draft;
		asked += 1;
		try {
			const body = { text, version: fixture.source === "file" ? draft.version : null, ...force === true ? { force } : {} };
			const answer = await app.server.put(`fixtures/${encodeURIComponent(name)}`, body);
			Object.assign(ownDraft, { saved: text, version: answer.version ?? ownDraft.version });
			failure("");
			if (own !== name) return;
			fixture = { ...fixture, ...answer, source: "file", text };
			if (draft.text === text) findings = sorted(answer);
			saved(answer);
			fill(alert);
			drawFindings();
			drawHead();
			drawFiles();
		} catch (error) {
			if (error.status !== 409 || !error.value?.version) return failure(error.message);
			const choice = await compare(error.value.text ?? "");
			if (choice === "mine") return save(true);
			if (choice === "load") replaceBy({ ...fixture, ...error.value });
		}
	};
	/** The text on disk. */
	const compare = (onDisk) => dialog("Changed on disk", [
		h("p", null, `${fixture.file ?? name} was changed since you opened it. Lines with − are on disk, with + are yours.`),
		marked(diff(onDisk, draft.text).filter(([mark]) => mark !== " ").slice(0, 200)),
	], [["Keep editing", ""], ["Load from disk", "load"], ["Overwrite", "mine", "danger"]]);
	const replaceBy = (found) => {
		Object.assign(draft, { saved: found.text, version: found.version });
		box?.show(found.text);
		draft.text = found.text;
		fill(alert);
		open(true);
	};

	const drawText = () => {
		box ??= editorOf({ label: `Text of ${name}`, draft, changed: typed, save });
		fill(body, box.node, problems);
		box.ready();
		drawFindings();
	};

	// MARK: Rules

	const ruleRow = (rule) => [
		rule.name, button(String(rule.line), () => { go.replace({ line: rule.line }); jump(rule.line) }, { class: "link" }),
		rule.where, rule.hears ?? "", rule.says ?? "",
		rule.uses ? h("a", { href: `#/log?filter=${encodeURIComponent(`kind:rule rule:"${rule.name}"`)}` }, String(rule.uses))
			: 0,
		rule.lastUse ? h("a", { href: `#/sessions/${rule.lastUse.session}/wire?row=${rule.lastUse.row}` },
			ago(Math.max(0, app.now() - millis(rule.lastUse.time)))) : "never",
		button("Copy", () => copy(draft.saved.split("\n").slice(rule.line - 1, rule.endLine ?? rule.line).join("\n"), "Rule"),
			{ class: "quiet", "aria-label": `Copy rule ${rule.name}` }),
	];
	const drawRules = () => {
		const list = fixture.rules.filter((rule) => !unusedOnly || !rule.uses);
		fill(body, h("div", { class: "page" },
			h("div", { class: "line" }, toggle("Never used", unusedOnly, (isOn) => { unusedOnly = isOn; drawRules() }),
				h("span", { class: "note" }, "In the order they are tried.")),
			h("div", { class: "scrolls" }, plain("Rules", ["Rule", "Line", "Where", "Hears", "Says", "Uses", "Last use", ""],
				list.map(ruleRow))),
			list.length ? "" : empty("No rule fits", "Each rule has answered.")));
	};

	const draw = () => {
		drawHead();
		fill(bar, tabs("Fixture views", ["Text", "Rules", "Try"], tab, (next) => { tab = next; draw() }, "fixture-panel"),
			tab === "Text" && toggle("Wrap lines", box?.wraps ?? false, (isOn) => box.wrap(isOn)));
		bar.className = "bar-of-tabs";
		body.setAttribute("aria-labelledby", `tab-Fixture-views-${tab}`);
		if (tab === "Text") drawText();
		else if (tab === "Rules") drawRules();
		else fill(body, h("div", { class: "page" }, trial({ fixture: name, stages: fixture?.stages ?? [] })));
	};

	// MARK: Opening

	/** Another text on disk while one is under way here: the reader chooses. */
	const differs = (found) => fill(alert, h("div", { class: "callout warn line" },
		h("span", null, "This file has changed on disk, and you have changes here that are not saved."),
		h("span", { class: "grow" }),
		button("Compare…", async () => {
			const choice = await compare(found.text);
			if (choice === "load") replaceBy(found);
			else if (choice === "mine") save(true);
		})));

	/** Asks for the fixture. After news of a change, such as one's own save, the editor stays what and where it is. */
	const open = async (isNews) => {
		const turn = asked += 1;
		try {
			const found = await app.server.get(`fixtures/${encodeURIComponent(name)}`);
			if (turn !== asked) return;
			const isFirst = !fixture, old = fixture;
			fixture = found;
			draft ??= app.drafts.of(key(), found.text, found.version);
			const had = draft.text, isRenewed = app.drafts.renew(key(), found.text, found.version);
			if (isRenewed && had !== found.text) box?.show(found.text);
			if (!isRenewed && draft.saved !== found.text) differs(found);
			if (isFirst || isRenewed) findings = sorted(found);
			if (isFirst) { draw(); if (!isRenewed) lint() }
			else if (tab === "Rules" || old.inForce !== found.inForce) draw();
			else { drawHead(); drawFindings() }
			const line = Number(query.get("line"));
			if (!isNews && line) requestAnimationFrame(() => jump(line));
		} catch (error) {
			if (turn !== asked) return;
			fill(head, h("h2", null, name));
			fill(bar);
			fill(body, empty("It cannot be shown", error.message,
				h("a", { class: "button", href: "#/fixtures" }, "All fixtures")));
		}
	};
	const choose = (next) => {
		clearTimeout(typing);
		Object.assign(saving, { textContent: "" });
		[name, fixture, draft, box, findings, tab] = [next, null, undefined, undefined, [], "Text"];
		node.classList.toggle("has-file", Boolean(name));
		fill(alert);
		drawFiles();
		showChosen();
		if (name) return open();
		asked += 1;
		drawHead();
		fill(bar);
		fill(body, empty("Choose a fixture", "Its text, its rules and what they heard are shown here.",
			button("New fixture", () => begin())));
	};
	choose(first);
	requestAnimationFrame(showChosen);
	const off = [app.on("fixtures", () => { drawFiles(); drawHead() }), app.on("fixture", (news) => {
		drawFiles();
		if (news.name === name) open(true);
		if (news.name !== name || news.what === "missing") notice(sentence(news));
	})];
	return {
		node, get title() { return name ? `${name} · Fixtures` : "Fixtures" },
		destroy: () => { clearTimeout(typing); off.forEach((f) => f()) },
		update: ([next], now) => {
			query = now;
			if (next !== name) choose(next);
			else if (now.get("line")) jump(Number(now.get("line")));
			return true;
		},
	};
};

// Fixtures: their rules, an editor that lints, a trial.

import { app, load } from "./app.js";
import { marked } from "./detail.js";
import { trial } from "./unmatched.js";
import { attempt, button, chip, copy, dialog, empty, failure, fill, h, notice, plain, seen, tabs, toggle, top } from "./ui.js";
import { ago, count, diff, millis } from "./words.js";

/** What is wrong with a text, mistakes first. */
const read = ({ findings }) => findings.toSorted((a, b) => (b.severity === "error") - (a.severity === "error"));

export const view = ({ parts: [name], query, go }) => {
	const node = h("div", { class: "page fixed fixtures" });
	const side = h("ul", { class: "files", "aria-label": "Fixture files" });
	const head = h("header", { class: "page-head" }), body = h("div", { class: "tab-panel" });
	node.append(h("div", { class: "columns" }, h("div", { class: "file-list" }, top("Fixtures", h("span", { class: "grow" }), button("Reload now", reload)), side), h("section", { class: "file", "aria-label": "Fixture" }, head, body)));
	let fixture = null, editor, gutter, findings = [], tab = "Text", typing, saved = "", unusedOnly = false, turn = 0, asked = 0;

	async function reload() {
		await attempt(async () => {
			const { news } = await app.server.post("fixtures/reload", {});
			for (const item of news) app.fixtureNews.set(item.name, item);
			await load.fixtures();
			if (!news.length) notice("Nothing changed on disk");
		});
	}
	const sentence = (item) => item.what === "refused" ? `${item.name}.json5 has ${count(item.findings.length, "error")}; ${item.hasGoodVersion ? "the version before is in force" : "it cannot be played"}` : item.what === "missing" ? `${item.name} is gone from disk` : `Reloaded ${item.name}`;

	const drawFiles = () => {
		side.replaceChildren(...app.fixtures.map((f) => {
			const news = app.fixtureNews.get(f.name);
			return h("li", null, h("a", { href: `#/fixtures/${encodeURIComponent(f.name)}`, "aria-current": f.name === name ? "page" : null }, h("span", { class: "line" }, h("strong", null, f.name), f.standard ? chip("standard", "info") : null, f.error || !f.inForce || news?.what === "refused" ? chip("error", "bad") : null, f.file ? null : h("span", { class: "note" }, "built in")), h("span", { class: "note" }, f.error ?? f.title ?? "")));
		}));
	};
	const drawHead = () => {
		const f = app.fixtures.find((item) => item.name === name);
		const news = app.fixtureNews.get(name);
		const isChanged = editor && editor.value !== saved;
		fill(head, h("h2", null, f?.title ?? name), fixture?.file || f?.file ? h("span", { class: "note mono ellipsis" }, fixture?.file ?? f.file) : chip(fixture?.source === "text" ? "given as text" : "inside the binary"), isChanged ? chip("not saved", "warn") : null,
			fixture && !fixture.inForce ? chip("the version before is in force", "bad") : null, h("span", { class: "grow" }),
			h("a", { class: "button", href: `/chat?token=${encodeURIComponent(`mock:${name}`)}&start=new`, target: "_blank" }, "Open in chat"), button("Chat beside", () => app.chatBeside(`mock:${name}`), { class: "quiet" }),
			fixture ? button("Save", save, { class: "primary", disabled: !isChanged, title: "Ctrl + S" }) : null);
		if (news?.what === "refused") head.append(h("p", { class: "callout bad", role: "status" }, sentence(news)));
	};

	// MARK: Text

	const lint = async () => {
		drawHead();
		const mine = turn += 1;
		try {
			const answer = await app.server.post("fixtures/check", { name, text: editor.value });
			if (mine !== turn) return
			findings = read(answer);
			drawFindings();
		} catch (error) { failure(error.message) }
	};
	const problems = h("div", { class: "problems" });
	const drawFindings = () => {
		const lines = (editor?.value ?? saved).split("\n");
		gutter?.replaceChildren(...lines.map((_, at) => {
			const own = findings.find((f) => f.line === at + 1);
			return h("span", { class: own ? own.severity : "" }, String(at + 1));
		}));
		problems.replaceChildren(findings.length ? plain("Fixture problems", ["Place", "Severity", "Message", "Fix", "Code"], findings.map((f) => [
			button(`${f.line}:${f.column}`, () => jump(f.line, f.column), { class: "link" }), chip(f.severity, { error: "bad", warning: "warn" }[f.severity]),
			[seen(f.message), f.line && lines[f.line - 1] != null ? h("pre", { class: "excerpt" }, lines[f.line - 1], `\n${" ".repeat(Math.max(0, f.column - 1))}^`) : null], f.fix ? seen(f.fix) : "", f.code ?? ""]))
			: h("p", { class: "note", role: "status", "aria-label": "Fixture problems" }, "No problem found"));
	};
	const jump = (line, column = 1) => {
		if (!editor) return;
		const lines = editor.value.split("\n");
		const from = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
		editor.focus();
		editor.setSelectionRange(from + column - 1, from + (lines[line - 1]?.length ?? 0));
		editor.scrollTop = Math.max(0, (line - 6) * parseFloat(getComputedStyle(editor).lineHeight));
		gutter.scrollTop = editor.scrollTop;
	};
	const save = async (force) => {
		if (!fixture) return;
		const text = editor.value;
		asked += 1;
		try {
			const answer = await app.server.put(`fixtures/${encodeURIComponent(name)}`, { text, version: fixture.source === "file" ? fixture.version : null, ...force === true ? { force } : {} });
			saved = text;
			fixture = { ...fixture, ...answer, source: "file", text };
			findings = read(answer);
			failure("");
			notice(answer.inForce ? "Saved: the next session hears it" : "Saved with mistakes: the version before stays in force");
			drawFindings();
			drawHead();
		} catch (error) {
			if (error.status !== 409 || !error.value?.version) return failure(error.message);
			const choice = await dialog("Changed on disk", [h("p", null, `${fixture.file ?? name} was changed since you opened it. Lines with − are on disk, with + are yours.`), marked(diff(error.value.text ?? "", text).filter(([mark]) => mark !== " ").slice(0, 200))], [["Keep editing", ""], ["Load from disk", "load"], ["Overwrite", "mine", "danger"]]);
			if (choice === "mine") return save(true);
			if (choice === "load") open();
		}
	};
	const drawText = () => {
		gutter = h("div", { class: "gutter-lines mono", "aria-hidden": "true" });
		editor = h("textarea", { class: "editor", "aria-label": `Text of ${name}`, value: saved, spellcheck: "false", wrap: "off", oninput: () => { clearTimeout(typing); typing = setTimeout(lint, 250); if (gutter.childElementCount !== editor.value.split("\n").length) drawFindings() }, onscroll: () => { gutter.scrollTop = editor.scrollTop }, onkeydown: (event) => {
			if ((event.ctrlKey || event.metaKey) && event.key === "s") { event.preventDefault(); save() }
		} });
		body.replaceChildren(h("div", { class: "code-view" }, gutter, editor), problems);
		drawFindings();
		const line = Number(query.get("line"));
		if (line) requestAnimationFrame(() => jump(line));
	};

	// MARK: Rules

	const drawRules = () => {
		const list = fixture.rules.filter((rule) => !unusedOnly || !rule.uses);
		body.replaceChildren(h("div", { class: "page" }, h("div", { class: "line" }, toggle("Never used", unusedOnly, (isOn) => { unusedOnly = isOn; drawRules() }), h("span", { class: "note" }, "In the order they are tried.")), h("div", { class: "scrolls" }, plain("Rules", ["Rule", "Line", "Where", "Hears", "Says", "Uses", "Last use", ""], list.map((rule) => [
			rule.name, button(String(rule.line), () => { tab = "Text"; go.replace({ line: rule.line }); query.set("line", rule.line); draw() }, { class: "link" }), rule.where, seen(rule.hears ?? ""), seen(rule.says ?? ""),
			rule.uses ? h("a", { href: `#/log?filter=${encodeURIComponent(`kind:rule rule:"${rule.name}"`)}` }, String(rule.uses)) : 0, rule.lastUse ? h("a", { href: `#/sessions/${rule.lastUse.session}/wire?row=${rule.lastUse.row}` }, ago(Math.max(0, app.now() - millis(rule.lastUse.time)))) : "never",
			button("Copy", () => copy(saved.split("\n").slice(rule.line - 1, rule.endLine ?? rule.line).join("\n"), "Rule"), { class: "quiet", "aria-label": `Copy rule ${rule.name}` })]))), list.length ? "" : empty("No rule fits", "Each rule has answered.")));
	};

	const draw = () => {
		drawHead();
		if (editor && !editor.isConnected && editor.value !== saved && tab === "Text") { body.replaceChildren(bar(), h("div", { class: "code-view" }, gutter, editor), problems); return }
		if (tab === "Text") drawText();
		else if (tab === "Rules") drawRules();
		else body.replaceChildren(h("div", { class: "page" }, trial({ fixture: name, stages: fixture?.stages ?? [] })));
		body.prepend(bar());
	};
	const bar = () => tabs("Fixture views", ["Text", "Rules", "Try"], tab, (next) => { tab = next; draw() }, "fixture-panel");

	/** Shows the fixture. After news of a change, such as one's own save, the editor stays unless its text is an older one. */
	const open = async (isNews) => {
		if (!name) return body.replaceChildren(empty("Choose a fixture", "Its text, its rules and what they heard are shown here."));
		if (!isNews) {
			body.replaceChildren(empty("Loading…"));
			editor = null;
		}
		const mine = asked += 1;
		try {
			const found = await app.server.get(`fixtures/${encodeURIComponent(name)}`);
			if (mine !== asked) return;
			const isSame = editor && found.text === saved;
			if (editor && !isSame && editor.value !== saved) return drawHead();
			fixture = found;
			saved = found.text;
			if (!isSame || editor.value === saved) findings = read(found);
			if (!isSame) editor = null;
			drawFindings();
			if (isSame && tab !== "Rules") drawHead();
			else draw();
		} catch (error) {
			if (mine !== asked) return;
			head.replaceChildren(h("h2", null, name));
			body.replaceChildren(empty("It cannot be shown", error.message, h("a", { class: "button", href: "#/fixtures" }, "All fixtures")));
		}
	};
	drawFiles();
	open();
	const off = [app.on("fixtures", drawFiles), app.on("fixture", (news) => {
		drawFiles();
		notice(sentence(news));
		if (news.name === name && (!editor || editor.value === saved)) open(true);
		else drawHead();
	})];
	return {
		node, title: name ? `${name} · Fixtures` : "Fixtures", destroy: () => off.forEach((f) => f()),
		update: ([next], now) => {
			if (next !== name) return false;
			query = now;
			if (now.get("line") && editor) { tab = "Text"; if (!editor.isConnected) draw(); jump(Number(now.get("line"))) }
			return true;
		},
	};
};

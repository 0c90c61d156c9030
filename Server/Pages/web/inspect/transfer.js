// Files in and out: rows of an export become a session to look at; the record leaves as JSON lines, HAR or a
// transcript.

import { app, refresh } from "./app.js";
import { fixture } from "./copy.js";
import { exportFile, exportItems } from "./sessions.js";
import { attempt, button, chip, confirm, copy, download, empty, fill, h, menu, notice, plain, top } from "./ui.js";
import { count, size } from "./words.js";

export const view = ({ go }) => {
	const status = h("p", { class: "note", role: "status", "aria-label": "Import" });
	const take = async (file) => {
		if (!file) return
		status.textContent = `Reading ${file.name}, ${size(file.size)}…`;
		const type = /\.(har|json)$/i.test(file.name) ? "application/json" : "application/x-ndjson";
		const answer = await attempt(() => app.server.ask("POST", "import", { body: file, type }));
		status.textContent = answer ? `${count(answer.imported, "row")} as ${answer.session}` : "";
		if (answer) setTimeout(draw, 300);
	};
	const input = h("input", { type: "file", "aria-label": "File to import", accept: ".jsonl,.ndjson,.har,.json",
		onchange: () => take(input.files[0]) });
	const drop = h("section", { class: "box drop", "aria-label": "Import a file",
		ondragover: (event) => event.preventDefault(),
		ondrop: (event) => { event.preventDefault(); take(event.dataTransfer.files[0]) } },
		h("h3", null, "Import"), h("p", null,
			"JSON lines of an export, or a HAR file, become a read-only session. Drop one here, or choose it."), input, status);
	const list = h("div");
	const draw = () => {
		const ids = [...app.log.bySession.keys()].filter((id) => id.startsWith("imported-"));
		fill(list, ids.length ? plain("Imported sessions", null,
			ids.map((id) => [[h("a", { href: `#/sessions/${id}/wire` }, id), " ", chip("read-only", "off")],
			count(app.log.of(id).length, "row"), h("div", { class: "line" }, button("Make fixture from this", () => make(id)),
			menu(`Export ${id}`, exportItems(id), { text: "Export", class: "" }))]))
			: empty("Nothing imported", "Imported talks are listed here."));
	};
	const make = (id) => attempt(async () => {
		const rows = (await app.server.get("wire", { filter: `session:"${id}"`, limit: 10_000 })).rows.map(
			(row) => ({ ...row, flags: [] }));
		const text = fixture(id, rows);
		const answer = await app.server.post("fixtures", { name: id, text });
		refresh("fixtures");
		notice(`${answer.scenario} plays it`, { text: "Open", do: () => go(`#/fixtures/${id}`) });
		download(`${id}.json5`, new Blob([text]));
	});
	const reset = async () => {
		if (await confirm("Reset the server?",
			"Sessions, faults, rows and fixtures given as text are forgotten, and the clock runs in real time.",
			"Reset")) await attempt(async () => { await app.server.post("reset", {}); location.reload() });
	};
	const node = h("div", { class: "page" }, top("Import and export"), h("div", { class: "boxes" }, drop,
		h("section", { class: "box", "aria-label": "Export" }, h("h3", null, "Export the whole record"),
			h("p", null, "Tokens are masked in every format."),
			h("div", { class: "row" }, [["jsonl", "Wire (JSON lines)"], ["har", "HAR 1.2"], ["transcript", "Transcript (text)"],
			["transcript.json", "Transcript (JSON)"]].map(([format, text]) => button(text, () => exportFile(format))))),
		h("section", { class: "box", "aria-label": "Reset" }, h("h3", null, "Between two tests"),
			h("p", null, "Brings the server back to its start."),
			h("div", { class: "row" }, button("Reset server", reset, { class: "danger" }),
			button("Copy as curl", () => copy(`curl -s -X POST -H 'X-Mock-Control: 1' ${location.origin}/_mock/reset`,
			"Command"))))),
		list);
	draw();
	return { node, title: "Import", destroy: app.on("rows",
		(rows) => { if (rows.some((row) => row.session?.startsWith("imported-"))) draw() }) };
};

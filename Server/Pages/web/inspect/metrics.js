// Counters of the server over the last five minutes, and how long answers took, reckoned from the rows.

import { app } from "./app.js";
import { attempt, box, button, download, empty, fill, h, plain, remark, top } from "./ui.js";
import { count, length, size } from "./words.js";
import { svg } from "../shared/dom.js";

export const limits = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
/** How many values are at most each limit; the last place has those above. */
export const histogram = (values) => {
	const found = new Array(limits.length + 1).fill(0);
	for (const value of values) {
		const at = limits.findIndex((limit) => value <= limit);
		found[at < 0 ? limits.length : at] += 1;
	}
	return found;
};
export const percentile = (sorted, share) => sorted.length ? sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] : null;

const kinds = {
	Echo: (row) => row.dir === "out" && row.kind === "ws" && !row.rule && row.lat != null,
	"First token": (row) => row.rule && row.dir === "out" && /MESSAGE(_CHUNK)?$/.test(row.type) && (row.type.endsWith("MESSAGE") || /"chunk_index":[01][,}]/.test(row.raw ?? "")),
	"Full reply": (row) => row.rule && row.dir === "out" && (row.type.endsWith("AGENT_MESSAGE") || /"is_complete":true/.test(row.raw ?? "")),
	REST: (row) => row.kind === "rest" && row.dir === "out",
};
const latencies = () => {
	const asked = new Map();
	const found = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
	for (const row of app.log.rows) {
		if (row.kind === "rest" && row.dir === "in") asked.set(`${row.socket} ${row.type}`, Date.parse(row.t));
		for (const [kind, is] of Object.entries(kinds)) {
			if (!is(row)) continue;
			const value = kind === "REST" && row.lat == null ? Date.parse(row.t) - asked.get(`${row.socket} ${row.type}`) : row.lat;
			if (Number.isFinite(value)) found[kind].push(value);
		}
	}
	return Object.fromEntries(Object.entries(found).map(([kind, values]) => [kind, values.sort((a, b) => a - b)]));
};

const samples = [];

const chart = (label, values, unit) => {
	const most = Math.max(1, ...values);
	const points = values.map((value, at) => `${(at / Math.max(1, values.length - 1)) * 300},${58 - value / most * 54}`).join(" ");
	return svg("svg", { viewBox: "0 0 300 60", class: "spark", role: "img", "aria-label": `${label}: now ${values.at(-1) ?? 0} ${unit}, at most ${most}`, preserveAspectRatio: "none" }, svg("polyline", { points: points || "0,58 300,58" }));
};

export const view = () => {
	let showsTable = false;
	const cards = h("div", { class: "boxes" });
	const node = h("div", { class: "page" }, top("Metrics", remark("The last five minutes."), h("span", { class: "grow" }),
		button("Show as table", (event) => { showsTable = !showsTable; event.target.setAttribute("aria-pressed", String(showsTable)); draw() }, { "aria-pressed": "false" }), button("Reset window", () => { samples.length = 0; read() }),
		button("Export JSON", () => attempt(async () => download("metrics.json", await (await app.server.ask("GET", "metrics.json", { raw: true })).blob()))), button("Prometheus", () => attempt(async () => download("metrics.txt", await (await app.server.ask("GET", "metrics", { raw: true })).blob())))), cards);
	const big = (pairs) => h("dl", { class: "bigs" }, pairs.map(([name, value]) => h("div", null, h("dd", null, value), h("dt", null, name))));
	const value = (name, sample = samples.at(-1)) => sample?.values.get(`polymock_${name}`) ?? 0;
	const rate = (name, seconds) => {
		const now = samples.at(-1), then = samples.findLast((s) => now.at - s.at >= seconds * 1000 - 200) ?? samples[0];
		return !now || then === now ? 0 : Math.round((value(name, now) - value(name, then)) / (now.at - then.at) * 10_000) / 10;
	};
	const rates = (name) => samples.slice(1).map((s, at) => Math.max(0, Math.round((value(name, s) - value(name, samples[at])) / (s.at - samples[at].at) * 10_000) / 10));
	const draw = () => {
		const found = latencies();
		const line = (label, name, unit) => showsTable ? plain(label, ["Reading", unit], rates(name).slice(-20).map((v, at) => [at + 1, v])) : chart(label, rates(name), unit);
		fill(cards,
			box("Connections", big([["sockets", value("connections_open")], ["WebSockets", value("websockets_open")], ["sessions open", value("sessions_open")], ["held", value("sessions_held")], ["refused", value("handshakes_refused_total")]])),
			box("Traffic", big([["messages in /s", rate("messages_heard_total", 1)], ["events out /s", rate("events_told_total", 1)], ["10 s mean", rate("events_told_total", 10)], ["chunks /s", rate("chunks_told_total", 1)]]), line("Events out", "events_told_total", "per second"), remark(`${size(value("received_bytes_total"))} in, ${size(value("sent_bytes_total"))} out`)),
			...Object.entries(found).map(([kind, sorted]) => {
				const counts = histogram(sorted);
				const names = [...limits.map((limit) => `≤ ${limit} ms`), "> 5 s"];
				return box(`Latency: ${kind}`, sorted.length ? [
					big([["p50", length(percentile(sorted, 0.5))], ["p90", length(percentile(sorted, 0.9))], ["p99", length(percentile(sorted, 0.99))], ["max", length(sorted.at(-1))]]),
					showsTable ? plain(`${kind} histogram`, ["Time", "Count"], counts.map((n, at) => [names[at], n]))
						: svg("svg", { viewBox: "0 0 312 66", class: "bars", role: "img", "aria-label": `${kind}: ${counts.map((n, at) => n ? `${n} ${names[at]}` : "").filter(Boolean).join(", ")}` }, ...counts.map((n, at) => svg("rect", { x: at * 24 + 2, width: 20, rx: 2, y: 60 - n / Math.max(...counts) * 56, height: Math.max(n ? 2 : 0, n / Math.max(...counts) * 56) }))),
					remark(`${count(sorted.length, "answer")} in the rows held`)] : remark("No answer yet."));
			}),
			box("Quality", big([["unmatched", value("unmatched_total")], ["breaches", value("law_breaches_total")]]), plain("Breaches by law", ["Law", "Breaches"], app.laws.filter((law) => law.breaches).map((law) => [h("a", { href: `#/laws/${law.id}` }, law.title), law.breaches]))),
			box("Troubles", big([["armed", value("troubles_armed")], ["strikes", value("trouble_strikes_total")]])),
			box("Process", big([["uptime", length(value("uptime_seconds") * 1000)], ["rows", value("rows_total")], ["rows dropped", value("rows_dropped_total")]])));
	};
	const read = async () => {
		if (app.isPaused) return;
		try {
			const { metrics } = await app.server.get("metrics.json");
			samples.push({ at: performance.now(), values: new Map(metrics.map((metric) => [metric.name, metric.value])) });
			while (samples.length > 300) samples.shift();
			draw();
		} catch (error) { if (!samples.length) fill(cards, empty("No numbers yet", error.message)) }
	};
	read();
	const ticking = setInterval(read, 1000);
	return { node, title: "Metrics", destroy: () => clearInterval(ticking) };
};

// Counters of the server over the last five minutes, and how long answers took, reckoned from the rows.

import { app } from "./app.js";
import { attempt, box, button, download, empty, fill, h, plain, remark, top } from "./ui.js";
import { count, length, size } from "./words.js";
import { svg } from "../shared/dom.js";

export const limits = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
/** Counts of values up to each limit, and above the last. */
export const histogram = (values) => {
	const found = new Array(limits.length + 1).fill(0);
	for (const value of values) {
		const at = limits.findIndex((limit) => value <= limit);
		found[at < 0 ? limits.length : at] += 1;
	}
	return found;
};
export const percentile = (sorted, share) =>
	sorted.length ? sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] : null;

const kinds = {
	Echo: (row) => row.dir === "out" && row.kind === "ws" && !row.rule && row.lat != null,
	"First token": (row) => row.rule && row.dir === "out" && /MESSAGE(_CHUNK)?$/.test(row.type) && (
		row.type.endsWith("MESSAGE") || /"chunk_index":[01][,}]/.test(row.raw ?? "")),
	"Full reply": (row) => row.rule && row.dir === "out" && (
		row.type.endsWith("AGENT_MESSAGE") || /"is_complete":true/.test(row.raw ?? "")),
	REST: (row) => row.kind === "rest" && row.dir === "out",
};
const latencies = () => {
	const asked = new Map();
	const found = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
	for (const row of app.log.rows) {
		if (row.kind === "rest" && row.dir === "in") asked.set(`${row.socket} ${row.type}`, Date.parse(row.t));
		for (const [kind, is] of Object.entries(kinds)) {
			if (!is(row)) continue;
			const value = kind === "REST" && row.lat == null ? Date.parse(row.t) - asked.get(`${row.socket} ${row.type}`)
				: row.lat;
			if (Number.isFinite(value)) found[kind].push(value);
		}
	}
	return Object.fromEntries(Object.entries(found).map(([kind, values]) => [kind, values.sort((a, b) => a - b)]));
};

const samples = [];

const chart = (label, values, unit) => {
	const most = Math.max(1, ...values);
	const points = values.map((value, at) =>
		`${(at / Math.max(1, values.length - 1)) * 300},${58 - value / most * 54}`).join(" ");
	return svg("svg", { viewBox: "0 0 300 60", class: "spark", role: "img",
		"aria-label": `${label}: now ${values.at(-1) ?? 0} ${unit}, at most ${most}`, preserveAspectRatio: "none" },
		svg("polyline", { points: points || "0,58 300,58" }));
};

/** What a latency measures, and the numbers of its list. */
const measured = {
	Echo: "From a user's message to its echo.",
	"First token": "From a user's message to the first piece of the reply, thinking included.",
	"Full reply": "From a user's message to the end of the reply.", REST: "From a request to its answer.",
};
const shares = [["p50", 0.5, "half are faster"], ["p90", 0.9, "9 of 10 are faster"],
	["p99", 0.99, "99 of 100 are faster"]];

const numbers = (list) => h("dl", { class: "bigs" }, list.map(([name, value, sentence]) =>
	h("div", null, h("dd", null, value), h("dt", null, name), h("dd", { class: "note" }, sentence))));
const bars = (label, counts) => {
	const most = Math.max(...counts);
	return svg("svg", { viewBox: "0 0 312 66", class: "bars", role: "img", "aria-label": label },
		...counts.map((n, at) => {
		const height = Math.max(n ? 2 : 0, n / most * 56);
		return svg("rect", { x: at * 24 + 2, width: 20, rx: 2, y: 60 - n / most * 56, height });
	}));
};

export const view = () => {
	let showsTable = false;
	const cards = h("div", { class: "boxes" });
	const save = (path, name) => attempt(async () =>
		download(name, await (await app.server.ask("GET", path, { raw: true })).blob()));
	const node = h("div", { class: "page" }, top("Metrics", remark("The last five minutes."), h("span", { class: "grow" }),
		button("Show as table", (event) => { showsTable = !showsTable; event.target.setAttribute("aria-pressed", String(
			showsTable)); draw() }, { "aria-pressed": "false" }),
		button("Reset window", () => { samples.length = 0; read() }),
		button("Export JSON", () => save("metrics.json", "metrics.json")),
		button("Prometheus", () => save("metrics", "metrics.txt"))), cards);
	const value = (name, sample = samples.at(-1)) => sample?.values.get(`polymock_${name}`) ?? 0;
	const between = (name, from, to) => Math.round(
		(value(name, to) - value(name, from)) / (to.at - from.at) * 10_000) / 10;
	const rate = (name, seconds) => {
		const now = samples.at(-1), then = samples.findLast((s) => now.at - s.at >= seconds * 1000 - 200) ?? samples[0];
		return !now || then === now ? 0 : between(name, then, now);
	};
	const rates = (name) => samples.slice(1).map((s, at) => Math.max(0, between(name, samples[at], s)));
	const line = (label, name, unit) => showsTable ? plain(label, ["Reading", unit],
		rates(name).slice(-20).map((v, at) => [at + 1, v])) : chart(label, rates(name), unit);
	const latency = ([kind, sorted]) => {
		if (sorted.length === 0) return box(`Latency: ${kind}`, remark(measured[kind]), remark("No answer yet."));
		const counts = histogram(sorted), names = [...limits.map((limit) => `≤ ${limit} ms`), "> 5 s"];
		const label = `${kind}: ${counts.map((n, at) => n ? `${n} ${names[at]}` : "").filter(Boolean).join(", ")}`;
		return box(`Latency: ${kind}`, remark(measured[kind]),
			numbers([...shares.map(([name, share, sentence]) => [name, length(percentile(sorted, share)), sentence]),
				["max", length(sorted.at(-1)), "the slowest"]]),
			showsTable ? plain(`${kind} histogram`, ["Time", "Count"], counts.map((n, at) => [names[at], n]))
				: bars(label, counts),
			remark(`${count(sorted.length, "answer")} in the rows that the page holds`));
	};
	const broken = () => app.protocolRules.filter((rule) => rule.violations);
	const draw = () => fill(cards,
		box("Connections", numbers([
			["open connections", value("connections_open"), "TCP, of clients and of this page"],
			["WebSockets", value("websockets_open"), "connections of sessions"],
			["open sessions", value("sessions_open"), "conversations that go on"],
			["kept sessions", value("sessions_retained"), "open ones, and ended ones not forgotten yet"],
			["refused", value("handshakes_refused_total"), "WebSockets that were not let in"]])),
		box("Traffic", numbers([
			["messages in /s", rate("messages_received_total", 1), "of users, in the last second"],
			["events out /s", rate("events_sent_total", 1), "to clients, in the last second"],
			["events out, 10 s", rate("events_sent_total", 10), "the mean of ten seconds"],
			["chunks /s", rate("chunks_sent_total", 1), "pieces of replies"]]),
		line("Events out", "events_sent_total", "per second"),
		remark(`${size(value("received_bytes_total"))} in, ${size(value("sent_bytes_total"))} out`)),
		Object.entries(latencies()).map(latency),
		box("Quality", numbers([
			["unmatched", value("unmatched_total"), "messages no rule matched, requests no route handled"],
			["violations", value("violations_total"), "of protocol rules, by clients"]]),
		broken().length > 0 && plain("Violations by rule", ["Rule", "Violations"],
			broken().map((rule) => [h("a", { href: `#/violations/${rule.id}` }, rule.title), rule.violations]))),
		box("Faults", numbers([["active", value("faults_active"), "waiting for their trigger"], ["fired", value(
			"faults_fired_total"), "times that one did its work"]])),
		box("Process", numbers([["uptime", length(value("uptime_seconds") * 1000), "since the start"], ["rows", value(
			"rows_total"), "requests and frames written down"],
			["rows dropped", value("rows_dropped_total"), "older ones, to make room"]])));
	const read = async () => {
		if (app.isPaused) return;
		try {
			const { metrics } = await app.server.get("metrics.json");
			samples.push({ at: performance.now(), values: new Map(metrics.map((metric) => [metric.name, metric.value])) });
			while (samples.length > 300) samples.shift();
			draw();
		} catch (error) { if (samples.length === 0) fill(cards, empty("No numbers yet", error.message)) }
	};
	read();
	const ticking = setInterval(read, 1000);
	return { node, title: "Metrics", destroy: () => clearInterval(ticking) };
};

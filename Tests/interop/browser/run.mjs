// Opens index.html in headless Chromium from an origin of its own and waits for what the page reports:
//     node run.mjs http://127.0.0.1:PORT CHROMIUM PROFILE_FOLDER [control.html]
//
// control.html is a page that means harm; what it achieved is looked up afterwards, from outside the browser.
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";

const [base, chromium, profile, start = "index.html"] = process.argv.slice(2);
const limitSeconds = 90;
const files = {
    "/": [start, "text/html; charset=utf-8"],
    "/chat.mjs": ["../node/chat.mjs", "text/javascript; charset=utf-8"],
};

let report;
const result = new Promise((resolve) => (report = resolve));

const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    if (request.method === "POST" && pathname === "/result") {
        let text = "";
        for await (const part of request) text += part;
        response.end();
        report(JSON.parse(text));
    } else if (files[pathname]) {
        const [file, type] = files[pathname];
        response.setHeader("Content-Type", type);
        response.end(await readFile(fileURLToPath(new URL(file, import.meta.url))));
    } else {
        response.writeHead(404).end();
    }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

const page = `http://127.0.0.1:${server.address().port}/?server=${encodeURIComponent(base)}`;
const browser = spawn(
    chromium,
    [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--enable-logging=stderr",
        // A name of somebody else's that leads here: what DNS rebinding does.
        "--host-resolver-rules=MAP rebound.example 127.0.0.1", `--user-data-dir=${profile}`, page,
    ],
    { stdio: ["ignore", "ignore", "pipe"], detached: true },
);
let log = "";
browser.stderr.on("data", (part) => (log = (log + part).slice(-20_000)));
browser.on("error", (error) => report({ problem: String(error) }));
browser.on("exit", (code) => report({ problem: `${chromium} ended with ${code} before the page was done` }));
const timer = setTimeout(() => report({ problem: `no report within ${limitSeconds} s` }), limitSeconds * 1000);

const stop = () => {
    try {
        process.kill(-browser.pid, "SIGKILL");
    } catch {
        // Already gone.
    }
};
process.on("exit", stop);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

let { lines = [], passed = 0, failed = 0, problem } = await result;
clearTimeout(timer);
if (start === "control.html") {
    const see = async (path) => (await fetch(`${base}/_mock/${path}`)).json();
    const expect = (condition, name, detail) => {
        lines.push(condition ? `ok ${name}` : `FAIL ${name}: ${JSON.stringify(detail)}`);
        if (condition) passed += 1;
        else failed += 1;
    };
    // curl/control.sh adds others meanwhile; this one is in control.html alone.
    const faults = (await see("faults")).faults.filter((each) => each.at === "any event");
    expect(faults.length === 0, "no page of another origin added a fault", faults);
    const { mode } = await see("clock");
    expect(mode === "real", "no page of another origin stopped the clock", mode);
    const health = await see("health");
    expect(health.status === "ok", "the server is well", health);
}
for (const line of lines) console.log(line);
if (problem) {
    console.log(`FAIL the page reports: ${problem}`);
}
if (problem || failed > 0) {
    const console_ = log.split("\n").filter((line) => /CONSOLE|ERROR:.*(net|web)/.test(line));
    console.log(console_.slice(-20).join("\n"));
}
console.log(`${passed} passed, ${failed + (problem ? 1 : 0)} failed`);
process.exit(!problem && failed === 0 && passed > 0 ? 0 : 1);

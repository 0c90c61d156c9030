// Opens index.html in headless Chromium from an origin of its own and waits for what the page reports:
//     node run.mjs http://127.0.0.1:PORT CHROMIUM PROFILE_FOLDER
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";

const [base, chromium, profile] = process.argv.slice(2);
const limitSeconds = 90;
const files = {
    "/": ["index.html", "text/html; charset=utf-8"],
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
        "--enable-logging=stderr", `--user-data-dir=${profile}`, page,
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

const { lines = [], passed = 0, failed = 0, problem } = await result;
clearTimeout(timer);
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

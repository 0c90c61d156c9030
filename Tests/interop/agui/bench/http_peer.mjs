// Node's own http: sends the events of a file, one write each.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const events = readFileSync(process.argv[2], "utf8").trim().split("\n").map((line) => JSON.parse(line));

const server = createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    const { threadId, runId } = JSON.parse(Buffer.concat(parts));
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" });
    for (const event of events) {
      const told = "runId" in event ? { ...event, threadId, runId } : event;
      response.write(`data: ${JSON.stringify(told)}\n\n`);
    }
    response.end();
  });
});
server.listen(0, "127.0.0.1", () => console.log(`node listening on http://127.0.0.1:${server.address().port}`));
process.on("SIGTERM", () => process.exit(0));

// The published TypeScript client under Node: client.mjs FOLDER BASE AGENT... prints a JSON line for each agent.
//
// FOLDER is an npm installation that holds @ag-ui/client.

import { createRequire } from "node:module";
import { resolve } from "node:path";

// Older clients reject a promise of their own, which no caller sees, when a connection breaks.
process.on("unhandledRejection", () => {});

const [folder, base, ...names] = process.argv.slice(2);
const load = createRequire(resolve(folder, "package.json"));
const { HttpAgent } = load("@ag-ui/client");

for (const name of names) {
  const agent = new HttpAgent({ url: `${base}/ag-ui/${encodeURIComponent(name)}`, threadId: `node-${name}` });
  agent.messages = [{ id: "u-first", role: "user", content: "Hello" }];
  const told = { agent: name, error: null, failure: null };
  try {
    await agent.runAgent(
      { runId: `run-${name}`, tools: [], context: [] },
      { onRunErrorEvent: ({ event }) => void (told.failure = event.message) },
    );
  } catch (error) {
    told.error = String(error?.message ?? error);
  }
  console.log(JSON.stringify({ ...told, messages: agent.messages, state: agent.state }));
}
console.log(JSON.stringify({ version: load("@ag-ui/client/package.json").version }));

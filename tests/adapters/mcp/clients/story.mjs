// One story told through the TypeScript SDK; prints what the server answered, as JSON. It takes what story.py takes, and
// is run from the folder in which npm has put the packages.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

const how = JSON.parse(process.argv[2]);
const transport = how.url
  ? new StreamableHTTPClientTransport(new URL(how.url), {
      requestInit: { headers: { Authorization: `Bearer ${how.token}` } },
    })
  : new StdioClientTransport({ command: how.command, args: how.args, env: how.env });

const client = new Client({ name: "story", version: "1" });
await client.connect(transport);
const noticed = new Promise((resolve, reject) => {
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, () => resolve(true));
  setTimeout(() => reject(new Error("no notice came")), 30000).unref();
});
const call = (name, args) => client.callTool({ name, arguments: args });

const tools = await client.listTools();
await client.subscribeResource({ uri: "memory://state" });
const done = await call("memory_set", { predicate: "lives_in", value: "Delhi", since: "2026-01-05" });
const wasNoticed = await noticed;
const found = await call("memory_get", { predicate: "lives_in" });
const wrong = await call("memory_get", { predicate: "nothing" });
const templates = await client.listResourceTemplates();
const state = await client.readResource({ uri: "memory://state" });
const history = await client.readResource({ uri: "memory://history?predicate=lives_in" });
const recalled = await client.getPrompt({ name: "recall", arguments: {} });
const objects = (resource) => JSON.parse(resource.contents[0].text).facts.map((fact) => fact.object);

console.log(
  JSON.stringify({
    server: client.getServerVersion().name,
    tools: tools.tools.map((tool) => tool.name),
    set: done.content[0].text,
    changed: done.structuredContent.changed,
    noticed: wasNoticed,
    get: found.content[0].text,
    current: found.structuredContent.freshness.is_current,
    error: [Boolean(wrong.isError), wrong.content[0].text],
    templates: templates.resourceTemplates.map((one) => one.uriTemplate),
    state: objects(state),
    history: objects(history),
    recall: recalled.messages[0].content.text.includes("- lives_in: Delhi"),
  }),
);
await client.close();

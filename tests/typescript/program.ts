// Tells a short story to a server through the client that was generated from its OpenAPI document.
// Prints one line of JSON: what was asked and what came of it.
//
//     TENSEMEM_URL=http://127.0.0.1:7340 TENSEMEM_TOKEN=... node out/program.js

import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Schemas = components["schemas"];
type Fact = Schemas["Fact"];
type Problem = Schemas["Problem"];

/** What is read here: documents and problems, and neither streams of events nor drawings. */
type Documents = "application/json" | "application/problem+json";

function made(url: string, token: string) {
  return createClient<paths, Documents>({ baseUrl: url, headers: { Authorization: `Bearer ${token}` } });
}

type Client = ReturnType<typeof made>;

class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(`${problem.type}: ${problem.detail}`);
  }
}

/** Give the body of an answer; throw what the server refused it with. */
async function answered<T>(asked: Promise<{ data?: T; error?: Problem }>): Promise<T> {
  const { data, error } = await asked;
  if (data !== undefined) return data;
  throw error === undefined ? new Error("no answer") : new Refused(error);
}

/** A date as a value is text, and `value_type` says so. */
function born(fact: Fact | undefined): Date | null {
  if (fact === undefined || fact.value_type !== "date" || typeof fact.value !== "string") return null;
  return new Date(`${fact.value}T00:00:00Z`);
}

async function register(client: Client): Promise<void> {
  await answered(client.POST("/v1/register_predicate", { body: { name: "lives_in", aliases: ["city"] } }));
  await answered(client.POST("/v1/register_predicate", { body: { name: "born", type: "date" } }));
  await answered(client.POST("/v1/register_predicate", { body: { name: "languages", cardinality: "many" } }));
}

async function write(client: Client, user_id: string): Promise<Schemas["WriteResult"]> {
  await answered(
    client.POST("/v1/set", {
      body: { user_id, predicate: "lives_in", value: "Mysore" },
      params: { header: { "Idempotency-Key": "story-1" } },
    }),
  );
  await answered(
    client.POST("/v1/write", {
      body: {
        user_id,
        operations: [
          { op: "add", predicate: "languages", value: "Kannada" },
          { op: "set", predicate: "born", value: "1990-05-17" },
        ],
      },
    }),
  );
  const receipt = await answered(client.POST("/v1/add", { body: { user_id, content: "Hello.", extract: false } }));
  const moved = await answered(
    client.POST("/v1/set", { body: { user_id, predicate: "lives_in", value: "Bangalore", since: "2020" } }),
  );
  if (moved.seq <= receipt.seq) throw new Error("the log does not grow");
  return moved;
}

async function tell(client: Client, user_id: string) {
  const state = await answered(client.GET("/v1/state", { params: { query: { user_id, layers: [""], wait: true } } }));
  const history = await answered(
    client.GET("/v1/history", { params: { query: { user_id, predicate: "lives_in", between: ["2019", "2030"] } } }),
  );
  const page = await answered(client.GET("/v1/changes", { params: { query: { user_id, limit: 1 } } }));
  const next: number | null = page.next;
  const value = await answered(client.GET("/v1/get", { params: { query: { user_id, predicate: "lives_in" } } }));
  const shown = state.facts.find((fact) => fact.predicate === "born");
  return {
    values: state.values,
    born: born(shown)?.getUTCFullYear() ?? null,
    isCurrent: state.freshness.is_current,
    statuses: history.facts.map((fact) => fact.status),
    found: value.found ? value.value : null,
    next,
  };
}

/** What is refused says of which kind it is. */
async function refused(client: Client, user_id: string): Promise<string> {
  const { error, response } = await client.GET("/v1/get", { params: { query: { user_id, predicate: "nobody_knows" } } });
  return `${response.status} ${error?.type ?? "nothing"}`;
}

async function main(): Promise<void> {
  const client = made(process.env["TENSEMEM_URL"] ?? "", process.env["TENSEMEM_TOKEN"] ?? "");
  const user_id = "ü/../%00 1";
  await register(client);
  const moved = await write(client, user_id);
  const undone = await answered(client.POST("/v1/correct", { body: { fact_id: moved.fact_id ?? "", reason: "no" } }));
  const told = await tell(client, user_id);
  console.log(JSON.stringify({ ...told, changed: undone.changed, refused: await refused(client, user_id) }));
}

await main();

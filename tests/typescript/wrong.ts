// Calls that must not compile: one below each line that says why.

import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

const client = createClient<paths, "application/json">({ baseUrl: "http://127.0.0.1:7340" });
declare const state: components["schemas"]["State"];

// wrong: there is no such verb
void client.GET("/v1/stat", { params: { query: { user_id: "u1" } } });
// wrong: what writes is no GET
void client.GET("/v1/set", { params: { query: { user_id: "u1" } } });
// wrong: whose state is not said
void client.GET("/v1/state", { params: { query: {} } });
// wrong: a limit is a number
void client.GET("/v1/search", { params: { query: { user_id: "u1", query: "x", limit: "ten" } } });
// wrong: two times are two
void client.GET("/v1/history", { params: { query: { user_id: "u1", between: 5 } } });
// wrong: nothing is set
void client.POST("/v1/set", { body: { user_id: "u1", predicate: "p" } });
// wrong: there is no such operation
void client.POST("/v1/write", { body: { user_id: "u1", operations: [{ op: "drop", predicate: "p" }] } });
// wrong: a value has one of the types that are known
void client.POST("/v1/register_predicate", { body: { name: "p", type: "colour" } });
// wrong: a fact has no such status
export const isOld = state.facts.some((fact) => fact.status === "old");
// wrong: a moment is text
export const year = state.at.getFullYear();
// wrong: the start of a fact may be unknown
export const began: string[] = state.facts.map((fact) => fact.valid_from);

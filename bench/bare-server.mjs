// The bare handler: node:http and pg, one prepared SELECT of a guardrail for a GET, one durable INSERT for a POST.
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
const SELECT = "SELECT * FROM guardrails WHERE id = $1";
const INSERT = `
  INSERT INTO guardrails (id, workspace_id, name, description, allowed_models, content_filters)
  SELECT gen_random_uuid(), id, $1, $2, $3, $4 FROM workspaces LIMIT 1 RETURNING *`;

/** @param {import("node:http").IncomingMessage} request */
async function guardrailOf(request) {
  if (request.method !== "POST") return pool.query({ name: "select", text: SELECT, values: [request.url?.slice(1)] });
  const { name, description, allowed_models, content_filters } = /** @type {any} */ (await json(request));
  const values = [name, description, JSON.stringify(allowed_models), JSON.stringify(content_filters)];
  return pool.query({ name: "insert", text: INSERT, values });
}

const server = createServer((request, response) => {
  guardrailOf(request).then(
    ({ rows }) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data: rows[0] })),
    () => response.writeHead(500).end(),
  );
});
server.listen(Number(process.env.PORT), "127.0.0.1");

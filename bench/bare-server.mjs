// The yardstick: node:http and pg, one SELECT of one guardrail, and nothing else.
import { createServer } from "node:http";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
const server = createServer((request, response) => {
  const id = request.url?.slice(1);
  pool.query({ name: "guardrail", text: "SELECT * FROM guardrails WHERE id = $1", values: [id] }).then(
    ({ rows }) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data: rows[0] })),
    () => response.writeHead(500).end(),
  );
});
server.listen(Number(process.env.PORT), "127.0.0.1");

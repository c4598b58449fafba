import { once } from "node:events";
import { connect } from "node:net";
import { createKey } from "../../lib/records/keys/contract";
import { createApi } from "../api-client";
import { expect, test } from "../own-server";
import { MANAGEMENT_KEY } from "../server";

const HTTP2 = "HTTP2-Settings: AAMAAABkAAQAAP__\r\n";
const OFFERS = [
  ["h2c", `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n${HTTP2}`],
  ["websocket", "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==\r\n"],
  ["TLS", "Connection: Upgrade\r\nUpgrade: TLS/1.2\r\n"],
] as const;

/** Sends a request and returns everything until the server closes the connection. */
async function exchange(url: string, key: string, line: string, rest: string): Promise<string> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = "";
  socket.on("data", (chunk: Buffer) => {
    received += chunk.toString();
    // A keep-alive connection stays open after a complete response.
    if (received.includes("\r\n\r\n")) socket.end();
  });
  socket.write(`${line} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n${rest}`);
  await once(socket, "close");
  return received;
}

test("an offer to upgrade to h2c, websocket or TLS is ignored and the request answered, before and after the first page", async ({
  own,
}) => {
  const { url } = await own.start();
  const { key } = await createApi(url, MANAGEMENT_KEY).call(createKey, { body: { name: "Caller" } });
  const message = JSON.stringify({ model: "sandbox/echo", messages: [{ role: "user", content: "Hello" }] });
  const ask = async () => {
    const answers: string[] = [];
    for (const [offer, headers] of OFFERS)
      for (const [line, caller, rest] of [
        ["GET /v1/guardrails", MANAGEMENT_KEY, "\r\n"],
        ["GET /sign-in", "", "\r\n"],
        [
          "POST /v1/chat/completions",
          key,
          `Content-Type: application/json\r\nContent-Length: ${message.length}\r\n\r\n${message}`,
        ],
      ] as const) {
        const answer = await exchange(url, caller, line, `${headers}${rest}`);
        answers.push(`${offer} ${line}: ${answer.split("\r\n", 1).join("") || "(nothing)"}`);
      }
    return answers;
  };
  const expected = OFFERS.flatMap(([offer]) => [
    `${offer} GET /v1/guardrails: HTTP/1.1 200 OK`,
    `${offer} GET /sign-in: HTTP/1.1 200 OK`,
    `${offer} POST /v1/chat/completions: HTTP/1.1 200 OK`,
  ]);
  expect(await ask()).toEqual(expected);
  await fetch(`${url}/sign-in`);
  expect(await ask()).toEqual(expected);
});

import { listGuardrails } from "../../lib/records/guardrails/contract";
import { createKey } from "../../lib/records/keys/contract";
import { operations } from "../../lib/server/operations";
import { createApi, readRefusal } from "../api-client";
import { expect, test } from "../own-server";
import { ADMIN, MANAGEMENT_KEY } from "../server";
import { acceptable } from "../unknown-things";

test("a rate-limited key gets 429 with Retry-After; other keys aren't affected", async ({ own }) => {
  const { url } = await own.start({ SIGNALBOX_RATE_LIMIT_PER_MINUTE: "10" });
  const api = createApi(url, MANAGEMENT_KEY);
  const { key: other } = await api.call(createKey, { body: { name: "other", kind: "management" } });
  const remaining: (string | null)[] = [];
  for (let count = 0; count < 9; count++) {
    const { status, headers } = await api.send(listGuardrails);
    expect(status).toBe(200);
    expect(headers.get("x-ratelimit-limit")).toBe("10");
    expect(Number(headers.get("x-ratelimit-reset"))).toBeGreaterThan(Date.now() / 1000 - 1);
    remaining.push(headers.get("x-ratelimit-remaining"));
  }
  expect(remaining).toEqual(["8", "7", "6", "5", "4", "3", "2", "1", "0"]);
  const { message, headers } = await api.refuse(listGuardrails, 429);
  expect(message).toBe("Rate limit exceeded");
  expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(6);
  expect(headers.get("x-ratelimit-remaining")).toBe("0");
  await api.as(other).call(listGuardrails);
});

test("reads of generation content have a separate limit", async ({ own }) => {
  const { url } = await own.start({ SIGNALBOX_CONTENT_READS_PER_MINUTE: "3" });
  const api = createApi(url, MANAGEMENT_KEY);
  const content = operations.filter(({ rateLimit }) => rateLimit === "content");
  expect(content.map(({ id }) => id)).toEqual(["listGenerationContent"]);
  for (const operation of content) {
    const read = async () => readRefusal(await api.send(operation, acceptable(operation)));
    for (let count = 0; count < 3; count++) expect(await read()).toMatchObject({ status: 404 });
    expect(await read()).toMatchObject({ status: 429, message: "Rate limit exceeded" });
  }
  await api.call(listGuardrails);
});

test("password guessing is delayed after five failures, also after a restart", async ({ own }) => {
  const server = await own.start();
  const guess = async (email: string, url = server.url) =>
    readRefusal(
      await fetch(`${url}/session`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: url },
        body: JSON.stringify({ email, password: "not the password" }),
      }),
    );
  for (let count = 0; count < 5; count++) expect(await guess(ADMIN.email)).toMatchObject({ status: 401 });
  for (let failures = 5; failures < 9; failures++) {
    await expect.poll(async () => (await guess(ADMIN.email)).status).toBe(401);
  }
  const stopped = await guess(ADMIN.email.toUpperCase());
  expect(stopped).toMatchObject({ status: 429, message: "Too many failed attempts" });
  expect(Number(stopped.headers.get("retry-after"))).toBeGreaterThanOrEqual(10);
  expect(await guess("somebody.else@example.com")).toMatchObject({ status: 401 });
  await server.stop();
  const { url } = await own.start();
  expect(await guess(ADMIN.email, url)).toMatchObject({ status: 429 });
});

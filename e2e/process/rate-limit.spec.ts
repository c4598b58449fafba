import { listGuardrails } from "../../lib/records/guardrails/contract";
import { createKey } from "../../lib/records/keys/contract";
import { operations } from "../../lib/server/operations";
import { createApi, readRefusal } from "../api-client";
import { expect, test } from "../own-server";
import { ADMIN, MANAGEMENT_KEY } from "../server";
import { acceptable } from "../unknown-things";

test("a rate-limited key gets 429 with Retry-After; other keys aren't affected", async ({ own }) => {
  // One more request every twenty seconds, so that a slow machine doesn't get one in the meantime.
  const { url } = await own.start({ SIGNALBOX_RATE_LIMIT_PER_MINUTE: "3" });
  const api = createApi(url, MANAGEMENT_KEY);
  const { key: other } = await api.call(createKey, { body: { name: "other", kind: "management" } });
  const remaining: (string | null)[] = [];
  for (let count = 0; count < 2; count++) {
    const { status, headers } = await api.send(listGuardrails);
    expect(status).toBe(200);
    expect(headers.get("x-ratelimit-limit")).toBe("3");
    expect(Number(headers.get("x-ratelimit-reset"))).toBeGreaterThan(Date.now() / 1000 - 1);
    remaining.push(headers.get("x-ratelimit-remaining"));
  }
  expect(remaining).toEqual(["1", "0"]);
  const { message, headers } = await api.refuse(listGuardrails, 429);
  expect(message).toBe("Rate limit exceeded");
  expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(20);
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
  /**
   * Guesses until a guess is rejected. A machine so slow that the delay has passed guesses once more, and waits twice
   * as long.
   */
  const untilRefused = async (email: string, url = server.url) => {
    for (let failures = 0; ; failures++) {
      const answer = await guess(email, url);
      if (answer.status === 429) return { ...answer, failures };
      expect(answer).toMatchObject({ status: 401 });
    }
  };
  const stopped = await untilRefused(ADMIN.email);
  expect(stopped.failures).toBeGreaterThanOrEqual(5);
  expect(stopped).toMatchObject({ message: "Too many failed attempts" });
  expect(Number(stopped.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect((await untilRefused(ADMIN.email.toUpperCase())).failures).toBeLessThan(5);
  expect(await guess("somebody.else@example.com")).toMatchObject({ status: 401 });
  await server.stop();
  const { url } = await own.start();
  expect((await untilRefused(ADMIN.email, url)).failures).toBeLessThan(5);
});

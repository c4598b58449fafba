import { expect, it } from "vitest";
import { openFlow, sealFlow, type Flow } from "./flow";

const NOW = new Date("2026-11-20T10:00:00.000Z");
const [ONE, TWO] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const keys = (secretKey: Buffer, ...previousSecretKeys: Buffer[]) => ({ secretKey, previousSecretKeys });
const FLOW: Flow = {
  connectionId: "c",
  state: "s",
  returnTo: "/keys",
  testId: null,
  memberId: null,
  secrets: { nonce: "n" },
  endsAt: NOW.getTime() + 1000,
};

it("opens what it has sealed, also after a rotation of the secret key, until its end", () => {
  const token = sealFlow(keys(ONE), FLOW);
  expect(token).not.toContain("nonce");
  expect(openFlow(keys(ONE), token, NOW)).toEqual(FLOW);
  expect(openFlow(keys(TWO, ONE), token, NOW)).toEqual(FLOW);
  expect(openFlow(keys(ONE), token, new Date(FLOW.endsAt))).toBeNull();
});

it.each([
  ["nothing", null],
  ["an empty text", ""],
  ["a foreign text", "v2.a.b.c.d"],
  ["another key's flow", sealFlow(keys(TWO), FLOW)],
  ["a changed flow", sealFlow(keys(ONE), FLOW).slice(0, -4) + "AAAA"],
])("opens nothing of %s", (_, token) => {
  expect(openFlow(keys(ONE), token, NOW)).toBeNull();
});

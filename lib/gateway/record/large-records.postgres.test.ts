import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { outcomeOf } from "../../testing/outcomes";
import { testWorld } from "../../testing/test-context";
import { record } from "./record-store";

it("a record doesn't wait for those with megabytes of content", async () => {
  const { context } = await testWorld();
  const prompt = { messages: [{ role: "user" as const, content: "x".repeat(5_000_000) }], blocked: null };
  let written = 0;
  const large = Array.from({ length: 6 }, () => record(context, outcomeOf({ prompt })).then(() => (written += 1)));
  await sleep(20);
  await record(context, outcomeOf());
  expect(written).toBeLessThan(large.length);
  await Promise.all(large);
});

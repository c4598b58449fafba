import { expect, it } from "vitest";
import { failure } from "../../testing/expect-failure";
import { testWorld } from "../../testing/test-context";
import { readLog } from "./read-store";

it("a query over the time limit is a 400 that names the start and what to do", async () => {
  const { context } = await testWorld();
  const slow = readLog(context.db, { limitMs: 20 }, (db) => db.$queryRaw`SELECT true AS slept FROM pg_sleep(60)`);
  expect(await failure(slow)).toMatchObject({
    status: 400,
    metadata: {
      issues: [
        {
          path: ["from"],
          message: expect.stringMatching(/narrow the time range or add a filter$/),
          code: "range_too_wide",
        },
      ],
    },
  });
});

it("other failures remain", async () => {
  const { context } = await testWorld();
  await expect(readLog(context.db, {}, (db) => db.$queryRaw`SELECT missing`)).rejects.toThrow("missing");
});

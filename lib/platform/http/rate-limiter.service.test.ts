import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiError } from "../api-error";
import { uuidv7 } from "../ids";
import type { Database } from "../database/transaction";
import { NOW, testDatabase } from "../../testing/test-context";
import { cases } from "../../testing/random";
import { SHARE, SLICE_MS } from "./rate-limit";
import { deleteFullBuckets, limitRate, networkSubject } from "./rate-limiter";

/** Handles of one database with separate slices, like processes. */
async function processes(count: number): Promise<{ handles: Database[]; statements: () => number }> {
  const { client } = await testDatabase();
  let statements = 0;
  const handles = Array.from(
    { length: count },
    () =>
      new Proxy<Database>(client, {
        get: (target, name) => {
          if (name === "$queryRaw") statements += 1;
          return Reflect.get(target, name) as unknown;
        },
      }),
  );
  return { handles, statements: () => statements };
}

const after = (ms: number) => new Date(NOW.getTime() + ms);

async function request(db: Database | undefined, subject: string, perMinute: number, now = NOW) {
  if (!db) throw new Error("no process");
  const headers = new Headers();
  const error = await limitRate(db, subject, perMinute, now, headers).then(
    () => null,
    (refusal: unknown) => {
      if (!(refusal instanceof ApiError)) throw refusal;
      return refusal;
    },
  );
  return { isAllowed: error === null, error, remaining: Number(headers.get("x-ratelimit-remaining")), headers };
}

describe("a rate limit", () => {
  it("allows a full burst, then returns the time until the next request", async () => {
    const { handles } = await processes(1);
    const [db] = handles;
    const subject = uuidv7(NOW);
    for (let count = 0; count < 60; count++)
      expect(await request(db, subject, 60)).toMatchObject({ isAllowed: true, remaining: 59 - count });
    const refused = await request(db, subject, 60);
    expect(refused).toMatchObject({ isAllowed: false, remaining: 0, error: { status: 429 } });
    expect(refused.headers.get("x-ratelimit-limit")).toBe("60");
    expect(await request(db, subject, 60, after(999))).toMatchObject({ isAllowed: false });
    expect(await request(db, subject, 60, after(1_000))).toMatchObject({ isAllowed: true, remaining: 0 });
  });

  it("holds for all processes together", async () => {
    const { handles } = await processes(3);
    const subject = uuidv7(NOW);
    const requests = Array.from({ length: 300 }, (_, index) => request(handles[index % 3], subject, 100));
    const allowed = (await Promise.all(requests)).filter(({ isAllowed }) => isAllowed).length;
    expect(allowed).toBeLessThanOrEqual(100);
    // The rest is in slices, each a share of the free tokens.
    expect(allowed).toBeGreaterThanOrEqual(100 - 2 * Math.ceil(100 / SHARE));
    const later = after(SLICE_MS);
    const more = await Promise.all(
      Array.from({ length: 300 }, (_, index) => request(handles[index % 3], subject, 100, later)),
    );
    expect(allowed + more.filter(({ isAllowed }) => isAllowed).length).toBeLessThanOrEqual(
      100 + (100 / 60_000) * SLICE_MS,
    );
  });

  it("takes few statements, and none while requests are refused", async () => {
    const { handles, statements } = await processes(1);
    const subject = uuidv7(NOW);
    for (let count = 0; count < 1_000; count++)
      expect(await request(handles[0], subject, 60_000, after(count))).toMatchObject({ isAllowed: true });
    expect(statements()).toBeLessThan(60);

    const small = uuidv7(NOW);
    for (let count = 0; count < 10; count++) await request(handles[0], small, 10);
    await request(handles[0], small, 10);
    const before = statements();
    for (let count = 0; count < 100; count++)
      expect(await request(handles[0], small, 10)).toMatchObject({ isAllowed: false });
    expect(statements()).toBe(before);
  });

  it("in any interleaving never admits more than the burst plus the refill and the slices held", async () => {
    const { handles } = await processes(3);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 300 }),
        fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 4_000 })), {
          maxLength: 30,
        }),
        async (perMinute, steps) => {
          const subject = uuidv7(NOW);
          const admitted: number[] = [];
          let elapsed = 0;
          for (const [which, count, gap] of steps) {
            elapsed += gap;
            const answers = await Promise.all(
              Array.from({ length: count }, () => request(handles[which], subject, perMinute, after(elapsed))),
            );
            for (const { isAllowed } of answers) if (isAllowed) admitted.push(elapsed);
          }
          for (const start of new Set(admitted)) {
            const since = admitted.filter((at) => at >= start).length;
            const refill = ((elapsed - start + SLICE_MS) * perMinute) / 60_000;
            expect(since).toBeLessThanOrEqual(perMinute + refill + 1e-6);
          }
          const [first = 0] = admitted;
          expect(admitted.length).toBeLessThanOrEqual(perMinute + ((elapsed - first) * perMinute) / 60_000 + 1e-6);
        },
      ),
      { numRuns: cases(25) },
    );
  });

  it("of 0 is no limit", async () => {
    const { handles, statements } = await processes(1);
    expect(await request(handles[0], "anything", 0)).toMatchObject({ isAllowed: true });
    expect(statements()).toBe(0);
  });
});

it("stores no address, and deletes buckets that are full again", async () => {
  const { client: db } = await testDatabase();
  const settings = { secretKey: Buffer.alloc(32, 1) };
  const subject = networkSubject("192.0.2.1", settings);
  expect(subject).toMatch(/^client:[0-9a-f]{64}$/);
  await request(db, subject, 10);
  await deleteFullBuckets(db, after(60_000));
  expect(await db.rateBucket.count({ where: { subject } })).toBe(1);
  await deleteFullBuckets(db, after(600_000));
  expect(await db.rateBucket.count({ where: { subject } })).toBe(0);
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generationSecond, newGenerationId, newUserId, uuidv7 } from "./ids";

describe("generation ids", () => {
  it("contain the second in which the generation started", () => {
    const instants = fc.date({ min: new Date(0), max: new Date("2200-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(instants, (now) => {
        const second = generationSecond(newGenerationId(now));
        expect(second && second.gte <= now && now < second.lt).toBe(true);
      }),
    );
  });

  it.each([
    "",
    "gen-",
    "gen-1-short",
    `gen-x-${"a".repeat(20)}`,
    `gen-1-${"a".repeat(21)}`,
    `gen-${"9".repeat(11)}-${"a".repeat(20)}`,
  ])("reject «%s»", (id) => expect(generationSecond(id)).toBeNull());
});

it("sort by time as UUIDs", () => {
  const ids = [3, 1, 2].map((ms) => uuidv7(new Date(ms)));
  expect([...ids].sort()).toEqual([ids[1], ids[2], ids[0]]);
});

it("ascend within a millisecond without duplicates", () => {
  const ids = Array.from({ length: 1000 }, () => uuidv7(new Date(5)));
  expect([...ids].sort()).toEqual(ids);
  uuidv7(new Date(6));
  expect(new Set([...ids, uuidv7(new Date(5))]).size).toBe(1001);
});

it("have the documented user form", () => expect(newUserId()).toMatch(/^user_[0-9A-Za-z]{24}$/));

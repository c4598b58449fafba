import { describe, expect, it } from "vitest";
import { unreadable, writerOf, type Instance } from "./writing-secret";

const instance = (...secretKeyIds: string[]): Instance => ({ secretKeyIds, writesWith: secretKeyIds[0] ?? "" });

describe("writerOf", () => {
  it.each<[string, [string, ...string[]], Instance[], string]>([
    ["is the newest without others", ["new", "old"], [], "new"],
    ["waits for an instance that only has the old secret", ["new", "old"], [instance("old")], "old"],
    ["waits for all", ["new", "old"], [instance("new", "old"), instance("old")], "old"],
    ["is the newest when all can read it", ["new", "old"], [instance("new", "old"), instance("old", "new")], "new"],
    ["is the newest that all can read", ["c", "b", "a"], [instance("b", "a")], "b"],
    ["is the oldest when none can be read by all", ["c", "b"], [instance("x")], "b"],
  ])("%s", (_, own, others, writer) => expect(writerOf(own, others)).toBe(writer));
});

it("names a secret of another instance that can't be read", () => {
  expect(unreadable(["old"], [instance("old"), instance("new", "old")])).toBe("new");
  expect(unreadable(["old"], [{ secretKeyIds: ["new", "old"], writesWith: "old" }])).toBeNull();
});

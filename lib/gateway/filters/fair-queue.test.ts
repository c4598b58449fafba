import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FairQueue, type ScanOwner } from "./fair-queue";

const owner = (organizationId: string, subject: string): ScanOwner => ({ organizationId, subject });
const unbounded = { total: Infinity, perOrganization: Infinity };

function drain<Item>(queue: FairQueue<Item>): Item[] {
  const items: Item[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
  return items;
}

describe("FairQueue", () => {
  it("serves a small item of another key after at most one large item", () => {
    const queue = new FairQueue<string>(unbounded);
    for (let index = 0; index < 12; index += 1)
      queue.push(owner("a", "greedy"), { cost: 1000, item: `large ${index}` });
    expect(queue.shift()).toBe("large 0");
    queue.push(owner("a", "modest"), { cost: 1, item: "hello" });
    expect(queue.shift()).toBe("hello");
  });

  it("shares by cost, not by number", () => {
    const queue = new FairQueue<string>(unbounded);
    for (let index = 0; index < 4; index += 1) queue.push(owner("a", "large"), { cost: 100, item: "L" });
    for (let index = 0; index < 12; index += 1) queue.push(owner("a", "small"), { cost: 25, item: "s" });
    expect(drain(queue).join("")).toBe("LssssLssssLssssL");
  });

  it("shares between organizations, however many keys each has", () => {
    const queue = new FairQueue<string>(unbounded);
    for (let key = 0; key < 10; key += 1) queue.push(owner("many", `key ${key}`), { cost: 1, item: "m" });
    for (let index = 0; index < 5; index += 1) queue.push(owner("one", "key"), { cost: 1, item: "o" });
    expect(drain(queue).join("")).toBe("momomomomommmmm");
  });

  it("remembers what a key has received while others wait", () => {
    const queue = new FairQueue<string>(unbounded);
    queue.push(owner("a", "returning"), { cost: 100, item: "R" });
    for (let index = 0; index < 4; index += 1) queue.push(owner("a", "waiting"), { cost: 25, item: "w" });
    expect(queue.shift()).toBe("R");
    queue.push(owner("a", "returning"), { cost: 100, item: "R" });
    expect(drain(queue).join("")).toBe("wwwwR");
  });

  it("doesn't let a key claim the time in which it wanted nothing", () => {
    const queue = new FairQueue<string>(unbounded);
    const serve = (subject: string) => {
      queue.push(owner("a", subject), { cost: 10, item: subject });
      return queue.shift();
    };
    serve("idle");
    for (let index = 0; index < 100; index += 1) serve("busy");
    for (let index = 0; index < 4; index += 1) queue.push(owner("a", "busy"), { cost: 10, item: "b" });
    for (let index = 0; index < 4; index += 1) queue.push(owner("a", "idle"), { cost: 10, item: "i" });
    expect(drain(queue).join("")).toBe("iibibibb");
  });

  it("remembers what runs when nothing waits", () => {
    const queue = new FairQueue<string>(unbounded);
    queue.push(owner("a", "greedy"), { cost: 1000, item: "running" });
    expect(queue.shift()).toBe("running");
    queue.push(owner("a", "greedy"), { cost: 1000, item: "greedy" });
    queue.push(owner("a", "modest"), { cost: 1000, item: "modest" });
    expect(drain(queue)).toEqual(["modest", "greedy"]);
  });

  it("forgets callers when they are many", () => {
    const queue = new FairQueue<number>(unbounded);
    for (let key = 0; key < 5000; key += 1) {
      queue.push(owner(`organization ${key}`, "key"), { cost: 1, item: key });
      expect(queue.shift()).toBe(key);
    }
    expect(queue.remembered).toBeLessThanOrEqual(1001);
  });

  it("drops the last item of the longest line when an organization has too many", () => {
    const queue = new FairQueue<string>({ total: 100, perOrganization: 3 });
    for (let index = 0; index < 3; index += 1)
      expect(queue.push(owner("a", "greedy"), { cost: 1, item: `greedy ${index}` })).toEqual([]);
    expect(queue.push(owner("a", "modest"), { cost: 1, item: "modest" })).toEqual(["greedy 2"]);
    expect(queue.push(owner("a", "greedy"), { cost: 1, item: "greedy 3" })).toEqual(["greedy 3"]);
    expect(queue.push(owner("b", "other"), { cost: 1, item: "other" })).toEqual([]);
    expect(queue.size).toBe(4);
  });

  it("drops as many of the heaviest line as a heavy item needs", () => {
    const queue = new FairQueue<string>({ total: 100, perOrganization: 10 });
    for (let index = 0; index < 10; index += 1)
      queue.push(owner("a", "light"), { cost: 1, weight: 1, item: `light ${index}` });
    expect(queue.push(owner("a", "heavy"), { cost: 1, weight: 3, item: "heavy" })).toEqual([
      "light 9",
      "light 8",
      "light 7",
    ]);
    expect(queue.push(owner("a", "heavy"), { cost: 1, weight: 11, item: "too heavy" })).toEqual(["too heavy"]);
    expect(queue.size).toBe(8);
  });

  it("drops nothing that is kept", () => {
    const queue = new FairQueue<string>({ total: 1, perOrganization: 1 });
    for (const item of ["first", "second"])
      expect(queue.push(owner("a", "k"), { cost: 1, item, isKept: true })).toEqual([]);
    expect(queue.push(owner("a", "k"), { cost: 1, item: "new" })).toEqual([]);
    expect(queue.push(owner("a", "k"), { cost: 1, item: "newer" })).toEqual(["newer"]);
    expect(queue.push(owner("a", "k"), { cost: 1, item: "third", isKept: true })).toEqual([]);
    expect(drain(queue)).toEqual(["first", "second", "new", "third"]);
  });

  it("drops from the organization with the most when all are too many", () => {
    const queue = new FairQueue<string>({ total: 3, perOrganization: 3 });
    for (let index = 0; index < 3; index += 1) queue.push(owner("a", "k"), { cost: 1, item: `a${index}` });
    expect(queue.push(owner("b", "k"), { cost: 1, item: "b0" })).toEqual(["a2"]);
    expect(drain(queue)).toEqual(["a0", "b0", "a1"]);
  });

  it("loses and repeats nothing", () => {
    const action = fc.oneof(
      fc.record({
        organizationId: fc.constantFrom("a", "b"),
        subject: fc.constantFrom("1", "2", "3"),
        cost: fc.nat(9),
      }),
      fc.constantFrom("shift" as const, "remove" as const),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 200 }), (actions) => {
        const queue = new FairQueue<number>({ total: 12, perOrganization: 8 });
        const waiting = new Set<number>();
        for (const [index, one] of actions.entries()) {
          if (one === "shift") {
            const item = queue.shift();
            expect(item === undefined ? waiting.size === 0 : waiting.delete(item)).toBe(true);
          } else if (one === "remove") {
            const [first] = waiting;
            if (first !== undefined && waiting.delete(first)) queue.remove(first);
          } else {
            waiting.add(index);
            for (const left of queue.push(one, { cost: one.cost, item: index }))
              expect(waiting.delete(left)).toBe(true);
          }
          expect(queue.size).toBe(waiting.size);
          expect(waiting.size).toBeLessThanOrEqual(12);
        }
        expect(new Set(drain(queue))).toEqual(waiting);
      }),
    );
  });
});

import { beforeEach, describe, expect, it } from "vitest";
import { CURRENT_MS, PolicyCache } from "./policy-cache";

let now: number;
let stored: string;
let loads: number;
let cache: PolicyCache;

beforeEach(() => {
  now = 0;
  stored = "first";
  loads = 0;
  cache = new PolicyCache(() => now);
});

const load = async (organizationId = "o") => {
  loads += 1;
  return { organizationId, value: stored };
};
const get = (id = "k") => cache.get(["key", id], () => load());

/** Starts a load that ends when the returned function is called, with the value stored at its start. */
function slowGet(id = "k"): { result: Promise<string | null>; finish: () => void } {
  const value = stored;
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const result = Promise.resolve(
    cache.get(["key", id], async () => {
      loads += 1;
      await finished;
      return { organizationId: "o", value };
    }),
  );
  return { result, finish };
}

describe("a value", () => {
  it("is loaded once while it is known to be current", async () => {
    expect([await get(), await get()]).toEqual(["first", "first"]);
    now += CURRENT_MS - 1;
    await get();
    expect(loads).toBe(1);
  });

  it("that wasn't confirmed for a second is loaded again", async () => {
    await get();
    stored = "second";
    now += CURRENT_MS;
    expect(await get()).toBe("second");
  });

  it("is confirmed by asking the database first", async () => {
    await get();
    now += 10 * CURRENT_MS;
    cache.refresh = async () => cache.confirm(now);
    await get();
    expect(loads).toBe(1);
  });

  it("is dropped with its organization, or with all", async () => {
    await get();
    cache.drop("other");
    await get();
    expect(loads).toBe(1);
    for (const organizationId of ["o", undefined]) {
      stored = `after dropping ${organizationId}`;
      cache.drop(organizationId);
      expect(await get()).toBe(stored);
    }
  });

  it("is loaded once for requests at the same time, but not after a change", async () => {
    const [one, two] = [slowGet(), slowGet()];
    stored = "second";
    cache.drop("o");
    const three = slowGet();
    for (const { finish } of [one, two, three]) finish();
    expect(await Promise.all([one.result, two.result, three.result])).toEqual(["first", "first", "second"]);
    expect(loads).toBe(2);
  });

  it("whose organization changed during the load isn't cached", async () => {
    const slow = slowGet();
    stored = "second";
    cache.drop("o");
    slow.finish();
    expect([await slow.result, await get()]).toEqual(["first", "second"]);
  });

  it("whose load takes long isn't joined", async () => {
    const slow = slowGet();
    now += CURRENT_MS;
    stored = "second";
    expect(await get()).toBe("second");
    slow.finish();
    await slow.result;
  });

  it("that is missing or failed to load isn't cached", async () => {
    expect(await cache.get(["key", "k"], async () => null)).toBeNull();
    await expect(cache.get(["key", "k"], () => Promise.reject(new Error("down")))).rejects.toThrow("down");
    expect(await get()).toBe("first");
  });
});

describe("a shared part", () => {
  const whole = (id: string, part: object) =>
    cache.get(["subject", id], async (share) => {
      const value = share(["layers", "p"], { organizationId: "o", value: part });
      return { organizationId: "o", value };
    });

  it("is the same object in every value until a change", async () => {
    const [first, second, third] = [{}, {}, {}];
    expect(await whole("a", first)).toBe(first);
    expect(await whole("b", second)).toBe(first);
    cache.drop("o");
    expect(await whole("b", third)).toBe(third);
  });

  it("of a load that a change overtook is its own", async () => {
    const [before, after] = [{}, {}];
    await whole("a", before);
    const overtaken = await cache.get(["subject", "b"], async (share) => {
      cache.drop("o");
      return { organizationId: "o", value: share(["layers", "p"], { organizationId: "o", value: after }) };
    });
    expect(overtaken).toBe(after);
    const later = {};
    expect(await whole("c", later)).toBe(later);
  });
});

import { getKey } from "../../lib/records/keys/contract";
import { bulkSetKeyLimits } from "../../lib/records/keys/limits-contract";
import { expect, test } from "../fixtures";

test("limits are set in bulk and restored exactly", async ({ api, world }) => {
  const [one, two] = [await world.inferenceKey(), await world.inferenceKey({ limit: 3, limit_reset: "daily" })];
  const limitOf = async ({ hash }: { hash: string }) => {
    const { data } = await api.call(getKey, { params: { hash } });
    return [data.limit, data.limit_reset];
  };
  const keys = [one, two].map(({ hash }) => ({ key_hash: hash, limit: 50, limit_reset: "monthly" as const }));
  const planned = await api.call(bulkSetKeyLimits, { query: { dry_run: "true" }, body: { keys } });
  expect(await limitOf(one)).toEqual([null, null]);
  const { previous } = await api.call(bulkSetKeyLimits, { body: { keys } });
  expect(planned.previous).toEqual(previous);
  expect([await limitOf(one), await limitOf(two)]).toEqual([
    [50, "monthly"],
    [50, "monthly"],
  ]);

  const expected = { limit: 50, limit_reset: "monthly" as const };
  await api.call(bulkSetKeyLimits, { body: { keys: previous, expected } });
  expect([await limitOf(one), await limitOf(two)]).toEqual([
    [null, null],
    [3, "daily"],
  ]);
  const { metadata } = await api.refuse(bulkSetKeyLimits, 409, { body: { keys: previous, expected } });
  expect(metadata["conflicts"]).toHaveLength(2);
});

test("unknown and duplicate keys are rejected", async ({ api, world }) => {
  const { hash, text } = await world.inferenceKey();
  const key = { key_hash: hash, limit: 1, limit_reset: null };
  for (const body of [
    { keys: [] },
    { keys: [key, key] },
    { keys: [{ ...key, limit: -1 }] },
    { keys: [{ ...key, name: "x" }] },
    { keys: [{ key_hash: hash }] },
  ])
    await api.refuse(bulkSetKeyLimits, 400, { body });
  const { metadata } = await api.refuse(bulkSetKeyLimits, 400, {
    body: { keys: [key, { ...key, key_hash: "0".repeat(64) }] },
  });
  expect(metadata["unknown"]).toEqual(["0".repeat(64)]);
  await api.refuse(bulkSetKeyLimits, 403, { body: { keys: [key] } }, { as: text });
});

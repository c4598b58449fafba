import { expect, it } from "vitest";
import { embeddedLimits, MOST_BYTES, MOST_GENERATIONS, type EmbeddedUse } from "./embedded-limits";

const small: EmbeddedUse = {
  sizeBytes: 0,
  generations: 0,
  memoryBytes: 400,
  memoryAvailableBytes: 1_000,
  busyShare: 0,
};

it.each<[string, Partial<EmbeddedUse>, string]>([
  ["nothing", {}, ""],
  ["a size just below", { sizeBytes: 0.79 * MOST_BYTES }, ""],
  ["a size near the limit", { sizeBytes: 0.8 * MOST_BYTES }, "size_bytes near"],
  ["the most generations", { generations: MOST_GENERATIONS }, "generations reached"],
  ["memory near that of the machine", { memoryBytes: 850 }, "memory_bytes near"],
  ["a process that is often busy", { busyShare: 0.75 }, "busy_share near"],
  ["a process that is always busy", { busyShare: 1 }, "busy_share reached"],
  ["two at once", { generations: 1e9, sizeBytes: 1e12 }, "size_bytes reached, generations reached"],
])("%s", (_, use, expected) => {
  const notices = embeddedLimits({ ...small, ...use }).filter(({ level }) => level !== "ok");
  expect(notices.map(({ name, level }) => `${name} ${level}`).join(", ")).toBe(expected);
});

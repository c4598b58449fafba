import { expect, it } from "vitest";
import { createPresetFromChatCompletions } from "./contract";

it("a preset stores only tiers, modalities and cache modes that the routing API lists, also from a chat body", () => {
  const accepts = (field: object) =>
    createPresetFromChatCompletions.body?.safeParse({ messages: [{ role: "user", content: "hi" }], ...field }).success;
  expect(accepts({ service_tier: "flex" })).toBe(true);
  expect(accepts({ service_tier: "batch" })).toBe(false);
  expect(accepts({ modalities: ["smell"] })).toBe(false);
  expect(accepts({ prompt_cache_options: { ttl: "30m" } })).toBe(false);
});

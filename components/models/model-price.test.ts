import { expect, it } from "vitest";
import { priceText } from "./model-price";

const zero = { prompt: "0", completion: "0", request: "0" };

it("is free only if every price is known to be 0", () => {
  expect(priceText(null)).toBe("Unknown");
  expect(priceText(zero)).toBe("Free");
  expect(priceText({ ...zero, cache_read: "0" })).toBe("Free");
  expect(priceText({ ...zero, image_output: "30" })).toBe("$0.00 / $0.00 + other prices");
  expect(priceText({ ...zero, web_search: "0.01" })).toBe("$0.00 / $0.00 + other prices");
  expect(priceText({ ...zero, tiers: [{ above: 1000, prompt: "1", completion: "2" }] })).toBe(
    "$0.00 / $0.00 + other prices",
  );
  expect(priceText({ ...zero, request: "0.5" })).toBe("$0.00 / $0.00 + $0.50 per request");
});

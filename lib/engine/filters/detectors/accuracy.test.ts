import { describe, expect, it } from "vitest";
import { accuracyOf, detectionsOf, sentencesOf, type Half } from "../../../testing/filter-accuracy";

/** Slightly below the measured values in bench/README.md. */
const FLOORS = {
  secrets: [0.95, 0.95],
  email: [0.99, 0.99],
  phone: [0.99, 0.92],
  ssn: [0.99, 0.99],
  "credit-card": [0.99, 0.99],
  "ip-address": [0.99, 0.99],
  "regex-prompt-injection": [0.97, 0.97],
} as const;

const cases = (Object.keys(FLOORS) as (keyof typeof FLOORS)[]).flatMap((slug) =>
  (["tuning", "held-out"] as const).map((half): [keyof typeof FLOORS, Half] => [slug, half]),
);

describe.each(cases)("%s, %s half", (slug, half) => {
  const sentences = sentencesOf(slug, half);

  it("reaches the documented accuracy", async () => {
    const { precision, recall, errors } = await accuracyOf(
      sentences,
      detectionsOf(slug),
      slug === "regex-prompt-injection",
    );
    const shown = JSON.stringify(errors.slice(0, 5));
    expect(precision, shown).toBeGreaterThanOrEqual(FLOORS[slug][0]);
    expect(recall, shown).toBeGreaterThanOrEqual(FLOORS[slug][1]);
  });

  it("is measured on look-alikes as well as on real data", () => {
    const positive = sentences.filter(({ spans }) => spans.length > 0).length;
    expect(positive / sentences.length).toBeGreaterThan(0.4);
    expect(positive / sentences.length).toBeLessThan(0.6);
  });
});

import { expect, it } from "vitest";
import { EMPTY_VALUES } from "./guardrail-values";
import { sectionSummaries } from "./section-summaries";

const VENDORS = ["anthropic", "openai", "google"];

it("says that an empty guardrail restricts nothing", () => {
  expect(sectionSummaries(EMPTY_VALUES, VENDORS)).toEqual({
    injection: "Prompt injection: off · Secrets: off",
    patterns: "None",
    providers: "All providers",
    "data-regions": "All regions",
    zdr: "Off",
    checks: "None",
    judges: "None",
  });
});

it("says what each section contains", () => {
  const check = { name: "tone", url: "https://checks.example.com" };
  const judge = { name: "", model: "sandbox/echo", instructions: "", action: "block" } as const;
  const summaries = sectionSummaries(
    {
      ...EMPTY_VALUES,
      content_filter_builtins: [{ slug: "secrets", action: "block" }],
      content_filters: [
        { pattern: "a", label: null, action: "flag" },
        { pattern: "b", label: null, action: "flag" },
      ],
      allowed_providers: ["openai", "azure", "bedrock"],
      ignored_providers: ["evil-cloud"],
      allowed_data_regions: ["europe"],
      enforce_zdr_vendor_b: true,
      enforce_zdr_other: true,
      external_checks: [check],
      judges: [judge],
    },
    VENDORS,
  );
  expect(summaries).toEqual({
    injection: "Prompt injection: off · Secrets: block",
    patterns: "2 custom patterns",
    providers: "Only openai, azure, and 1 more · evil-cloud blocked",
    "data-regions": "Only europe",
    zdr: "OpenAI and all other vendors",
    checks: "1 external check: tone",
    judges: "1 model judge",
  });
});

import { expect, it } from "vitest";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import { summarize } from "./guardrail-summary";

const NONE = {
  allowed_models: null,
  ignored_models: null,
  allowed_providers: null,
  ignored_providers: null,
  allowed_data_regions: null,
  content_filters: null,
  content_filter_builtins: null,
  external_checks: null,
  judges: null,
};
const check = { name: "tone", url: "https://checks.example/" };
const judge = { name: "legal", model: "a/b" };

it.each<[object, string | null]>([
  [{}, null],
  [{ external_checks: [], judges: [] }, null],
  [{ external_checks: [check] }, "Calls 1 external check."],
  [{ external_checks: [check], judges: [judge, judge] }, "Calls 1 external check and 2 model judges."],
  [
    {
      ignored_models: ["a/b"],
      content_filter_builtins: [{ slug: "email", action: "redact" }],
      judges: [judge],
    },
    "Blocks 1 model; redacts 1 kind of content; calls 1 model judge.",
  ],
])("%j → %s", (fields, sentence) => expect(summarize({ ...NONE, ...fields } as Guardrail, [])).toBe(sentence));

import type { FilterRule } from "../engine/filters/filter-rule";
import { ResponseFilter } from "../gateway/filters/response-filter-service";

/** Returns a filter of responses with the given rules, which read all messages. */
export const responseFilter = (
  rules: readonly Pick<FilterRule, "detector" | "action" | "label">[],
  isStreamed: boolean,
): ResponseFilter =>
  new ResponseFilter({
    rules: rules.map((rule) => ({ ...rule, scanScope: "all_messages", sources: [] })),
    phrases: [],
    limits: {
      timeoutMs: 20_000,
      workers: 1,
      signal: new AbortController().signal,
      owner: { organizationId: "organization", subject: "key" },
    },
    isStreamed,
    isJson: false,
    isChecked: false,
  });

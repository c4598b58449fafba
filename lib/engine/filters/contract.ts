import { z } from "zod";
import {
  acceptsAction,
  BUILTIN_SLUGS,
  FILTER_ACTIONS,
  FILTER_SCOPES,
  PROMPT_INJECTION_BUILTIN,
  SCAN_SCOPES,
} from "./vocabulary";

const scanScope = z.enum(SCAN_SCOPES).optional().meta({
  description:
    "What is scanned of requests: all texts, all but the application's own instructions and tool definitions (untrusted), or user messages. Default: untrusted for regex-prompt-injection, all_messages for others",
});
const filterScope = z
  .enum(FILTER_SCOPES)
  .optional()
  .meta({ description: "What is scanned: the request, the answer or both", default: "request" });

export const BuiltinFilter = z
  .strictObject({
    slug: z.enum(BUILTIN_SLUGS),
    action: z.enum(FILTER_ACTIONS),
    scan_scope: scanScope,
    scope: filterScope,
    label: z.string().max(100).optional().meta({ description: "Read-only: replaces a redacted span", readOnly: true }),
  })
  .refine(({ slug, action }) => acceptsAction(slug, action), {
    path: ["action"],
    message: `flag is accepted only with slug ${PROMPT_INJECTION_BUILTIN}`,
  })
  .refine(({ scope, scan_scope = "all_messages" }) => scope !== "response" || scan_scope === "all_messages", {
    path: ["scan_scope"],
    message: "selects texts of a request; with scope response it must be all_messages",
  });
export type BuiltinFilter = z.output<typeof BuiltinFilter>;

export const CustomFilter = z.strictObject({
  pattern: z.string().min(1).max(10_000).meta({
    description: "Regular expression for a linear-time engine; lookaround and backreferences aren't supported",
  }),
  label: z.string().max(100).nullish(),
  action: z.enum(FILTER_ACTIONS),
  scope: filterScope,
});
export type CustomFilter = z.output<typeof CustomFilter>;

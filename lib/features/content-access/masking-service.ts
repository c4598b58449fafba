import "server-only";
import { filterInput } from "../../gateway/filters/filter-service";
import { scanLimits, type ScanLimits } from "../../gateway/filters/scan-service";
import type { FilterRule } from "../../engine/filters/filter-rule";
import { ScanFailure } from "../../engine/filters/scan-failure";
import type { Context } from "../../platform/context";
import { builtinDetector } from "../../engine/policy/filter-rules";
import { BUILTIN_LABELS } from "../../engine/filters/vocabulary";
import { ApiError } from "../../platform/api-error";
import type { GenerationContent, Masked } from "./contract";
import type { PersonalData } from "./masking";

/** Distinct from `[EMAIL]`, which redaction writes before a request is sent. */
const maskOf = (kind: PersonalData): string => BUILTIN_LABELS[kind].replace("]", " MASKED]");

const ruleOf = (kind: PersonalData, regions: readonly string[]): FilterRule => ({
  detector: builtinDetector(kind, regions),
  action: "redact",
  label: maskOf(kind),
  scanScope: "all_messages" as const,
  sources: [],
});

/**
 * Masks personal data of the given kinds in messages, tool calls, completion, reasoning and stored error, with the
 * detectors that filter requests in the workspace's regions. Content that can't be scanned isn't returned (503).
 */
export async function maskContent(
  limits: ScanLimits,
  content: GenerationContent,
  kinds: readonly PersonalData[],
  regions: readonly string[] = [],
): Promise<GenerationContent> {
  if (kinds.length === 0) return content;
  const { error, input, output } = content;
  const messages = [...input.messages, { role: "assistant", ...output, error }];
  const kindOf = new Map(kinds.map((kind) => [ruleOf(kind, regions), kind]));
  const { body, findings } = await filterInput(
    { protocol: "chat_completions", body: { messages } },
    [...kindOf.keys()],
    limits,
  ).catch(refuse);
  const {
    completion,
    reasoning,
    tool_calls,
    choices,
    error: failure,
  } = body.messages.at(-1) as GenerationContent["output"] & Pick<GenerationContent, "error">;
  const masked = findings.flatMap(({ rule, spans }): Masked[] => {
    const kind = kindOf.get(rule);
    return kind ? [{ rule: kind, count: spans.length }] : [];
  });
  return {
    error: failure,
    input: { messages: body.messages.slice(0, -1) as GenerationContent["input"]["messages"] },
    output: { completion, reasoning, ...(tool_calls && { tool_calls }), ...(choices && { choices }) },
    ...(masked.length > 0 && { masked }),
  };
}

/** Masks texts of one content. Returns null for all texts if they can't be scanned. */
export async function maskTexts(
  context: Context,
  texts: readonly (string | null)[],
  kinds: readonly PersonalData[],
  regions: readonly string[],
): Promise<(string | null)[]> {
  if (kinds.length === 0) return [...texts];
  const messages = texts.map((text) => ({ role: "user", content: text ?? "" }));
  const rules = kinds.map((kind) => ruleOf(kind, regions));
  try {
    const { body } = await filterInput(
      { protocol: "chat_completions", body: { messages } },
      rules,
      scanLimits(context),
    );
    return body.messages.map(({ content }, index) => (texts[index] === null ? null : content));
  } catch (error) {
    if (!(error instanceof ScanFailure)) throw error;
    return texts.map(() => null);
  }
}

function refuse(error: unknown): never {
  if (error instanceof ScanFailure)
    throw new ApiError(503, "Personal data in this content could not be masked. Reveal it with a reason to read it", {
      reason: error.reason,
    });
  throw error;
}

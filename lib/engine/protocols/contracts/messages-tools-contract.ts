import { z } from "zod";
import { kindsOf, openUnion } from "./open-union-contract";
import { MessagesCacheControl } from "./messages-blocks-contract";

const text = z.string();
const flag = z.boolean().nullish();
const names = z.array(text).nullish();
const count = z.number().int().nullish();
const record = z.record(z.string(), z.unknown());

/** Settings that every tool has. */
const common = {
  cache_control: MessagesCacheControl.nullish(),
  defer_loading: flag,
  strict: flag,
  allowed_callers: names,
};

const functionFields = {
  name: text,
  description: text.nullish(),
  input_schema: record.meta({ description: "JSON Schema of the input" }),
  input_examples: z.array(record).nullish(),
  eager_input_streaming: flag,
  ...common,
};

/** A tool that the client runs; its type may be left out. */
const MessagesFunction = z.looseObject({ type: z.literal("custom"), ...functionFields });

/** A tool that Anthropic defines: a name, and settings of its own. */
const defined = <const Type extends string, Shape extends z.ZodRawShape>(types: readonly Type[], shape: Shape) =>
  z.looseObject({ type: z.enum(types), name: text, ...shape, ...common });

const sites = { allowed_domains: names, blocked_domains: names, max_uses: count };

/** Tools that Anthropic defines, by families of versions; unknown versions pass. */
const definedTools = [
  defined(["web_search_20250305", "web_search_20260209", "web_search_20260318"], {
    ...sites,
    user_location: z
      .looseObject({
        type: z.literal("approximate"),
        city: text.nullish(),
        country: text.nullish(),
        region: text.nullish(),
        timezone: text.nullish(),
      })
      .nullish(),
  }),
  defined(["web_fetch_20250910", "web_fetch_20260209", "web_fetch_20260309", "web_fetch_20260318"], {
    ...sites,
    citations: z.looseObject({ enabled: flag }).nullish(),
    max_content_tokens: count,
  }),
  defined(["code_execution_20250522", "code_execution_20250825", "code_execution_20260120"], {}),
  defined(["bash_20250124", "memory_20250818"], { input_examples: z.array(record).nullish() }),
  defined(["text_editor_20250124", "text_editor_20250429", "text_editor_20250728"], {
    input_examples: z.array(record).nullish(),
    max_characters: count,
  }),
  defined(["tool_search_tool_bm25_20251119", "tool_search_tool_regex_20251119"], {}),
] as const;

const tools = [MessagesFunction, ...definedTools] as const;
export const MESSAGES_TOOLS = kindsOf("type", tools);
export const MessagesTool = z
  .union([z.looseObject({ type: z.null().optional(), ...functionFields }), openUnion("type", tools)])
  .meta({ id: "MessagesTool" });
export type MessagesTool = z.output<typeof MessagesTool>;

const parallel = { disable_parallel_tool_use: flag };

const choices = [
  z.looseObject({ type: z.enum(["auto", "any"]), ...parallel }),
  z.looseObject({ type: z.literal("tool"), name: text, ...parallel }),
  z.looseObject({ type: z.literal("none") }),
] as const;
export const MESSAGES_TOOL_CHOICES = kindsOf("type", choices);
export const MessagesToolChoice = openUnion("type", choices);
export type MessagesToolChoice = z.output<typeof MessagesToolChoice>;

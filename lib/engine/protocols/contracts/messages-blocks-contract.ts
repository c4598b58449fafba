import { z } from "zod";
import { kindsOf, openUnion } from "./open-union-contract";
import { openValue } from "./open-value-contract";
import { CACHE_TTLS } from "./request-fields-contract";

const text = z.string();
const flag = z.boolean().nullish();
const record = z.record(z.string(), z.unknown());

/** A hint that the prompt up to here may be cached; it changes nothing else. */
export const MessagesCacheControl = z.looseObject({
  type: z.literal("ephemeral"),
  ttl: openValue(CACHE_TTLS).nullish(),
});
const cache_control = MessagesCacheControl.nullish();
const citations = z.looseObject({ enabled: flag }).nullish();
/** The caller of a tool: the model, or code that it runs. */
const caller = z.looseObject({ type: text, tool_id: text.nullish() }).nullish();

/** A place in a document or search result that a text cites. */
export const Citation = z.looseObject({
  type: text,
  cited_text: text.nullish(),
  document_index: z.number().nullish(),
  document_title: text.nullish(),
  title: text.nullish(),
  source: text.nullish(),
  url: text.nullish(),
  file_id: text.nullish(),
  encrypted_index: text.nullish(),
});

export const TextBlock = z.looseObject({
  type: z.literal("text"),
  text,
  citations: z.array(Citation).nullish(),
  cache_control,
});

const base64Source = z.looseObject({ type: z.literal("base64"), media_type: text, data: text });
const urlSource = z.looseObject({ type: z.literal("url"), url: text });
const fileSource = z.looseObject({ type: z.literal("file"), file_id: text });

export const ImageBlock = z.looseObject({
  type: z.literal("image"),
  source: openUnion("type", [base64Source, urlSource, fileSource]),
  transformations: z.looseObject({ oversized_image: text.nullish() }).nullish(),
  cache_control,
});
export type ImageBlock = z.output<typeof ImageBlock>;

export const DocumentBlock = z.looseObject({
  type: z.literal("document"),
  source: openUnion("type", [
    base64Source,
    urlSource,
    fileSource,
    z.looseObject({ type: z.literal("text"), media_type: text, data: text }),
    z.looseObject({
      type: z.literal("content"),
      content: z.union([text, z.array(openUnion("type", [TextBlock, ImageBlock]))]),
    }),
  ]),
  title: text.nullish(),
  context: text.nullish(),
  citations,
  cache_control,
});
export type DocumentBlock = z.output<typeof DocumentBlock>;

export const SearchResultBlock = z.looseObject({
  type: z.literal("search_result"),
  source: text,
  title: text,
  content: z.array(TextBlock),
  citations,
  cache_control,
});

/** Earlier reasoning. The signature proves to the model's vendor that it is unchanged; other models' has none. */
export const ThinkingBlock = z.looseObject({
  type: z.literal("thinking"),
  thinking: text,
  signature: text.nullish(),
});
export const RedactedThinkingBlock = z.looseObject({ type: z.literal("redacted_thinking"), data: text });

export const ToolUseBlock = z.looseObject({
  type: z.literal("tool_use"),
  id: text,
  name: text,
  input: record,
  caller,
  toolset_name: text.nullish(),
  cache_control,
});
export type ToolUseBlock = z.output<typeof ToolUseBlock>;

export const ToolResultBlock = z.looseObject({
  type: z.literal("tool_result"),
  tool_use_id: text,
  content: z
    .union([
      text,
      z.array(
        openUnion("type", [
          TextBlock,
          ImageBlock,
          DocumentBlock,
          SearchResultBlock,
          z.looseObject({ type: z.literal("tool_reference"), tool_name: text, cache_control }),
        ]),
      ),
    ])
    .nullish(),
  is_error: flag,
  toolset_name: text.nullish(),
  cache_control,
});
export type ToolResultBlock = z.output<typeof ToolResultBlock>;

/** The call of a tool that the model's vendor runs. */
export const ServerToolUseBlock = z.looseObject({
  type: z.literal("server_tool_use"),
  id: text,
  name: text,
  input: record,
  caller,
  cache_control,
});

const serverToolResult = <const Type extends string>(type: Type) =>
  z.looseObject({
    type: z.literal(type),
    tool_use_id: text,
    content: z.union([record, z.array(record)]),
    caller,
    cache_control,
  });
/** Results of tools that the model's vendor ran. */
export const serverToolResults = [
  serverToolResult("web_search_tool_result"),
  serverToolResult("web_fetch_tool_result"),
  serverToolResult("code_execution_tool_result"),
  serverToolResult("bash_code_execution_tool_result"),
  serverToolResult("text_editor_code_execution_tool_result"),
  serverToolResult("tool_search_tool_result"),
] as const;

export const ContainerUploadBlock = z.looseObject({
  type: z.literal("container_upload"),
  file_id: text,
  cache_control,
});

const blocks = [
  TextBlock,
  ImageBlock,
  DocumentBlock,
  SearchResultBlock,
  ThinkingBlock,
  RedactedThinkingBlock,
  ToolUseBlock,
  ToolResultBlock,
  ServerToolUseBlock,
  ...serverToolResults,
  ContainerUploadBlock,
] as const;
export const MESSAGES_BLOCKS = kindsOf("type", blocks);

/** A block of a message in a request. */
export const MessagesBlock = openUnion("type", blocks).meta({ id: "MessagesBlock" });
export type MessagesBlock = z.output<typeof MessagesBlock>;

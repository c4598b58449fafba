import { expect, it } from "vitest";
import { MESSAGES_TO_CHAT } from "./chat/from-messages";
import { RESPONSES_TO_CHAT } from "./chat/from-responses";
import type { FieldRule, FieldRules } from "./field-rules";
import { TUNING_PARAMETERS } from "./parameters";
import { CHAT_TO_CONVERSE } from "./converse/from-chat";
import { CHAT_TO_GENERATE_CONTENT } from "./generate-content/from-chat";
import { CHAT_TO_MESSAGES } from "./messages/from-chat";
import { CHAT_TO_RESPONSES } from "./responses/from-chat";
import { OWN_FIELDS, REFUSED_VALUES, SAME_PROTOCOL } from "./same-protocol";
import { EFFECTIVE_SETTINGS, OWN_OF_COMPLETION, OWN_OF_MESSAGE, OWN_OF_RESPONSE } from "./vocabulary";

const OUTCOME = {
  carried: "carried",
  mapped: "mapped",
  honoured: "honoured",
  dropped: "dropped",
  refused: "refused",
  ours: "not sent",
} as const;

const code = (names: Iterable<string>) => [...names].map((name) => `\`${name}\``).join(", ");
/** A table with one row for each rule, and all fields that it applies to. */
function listed(rules: FieldRules, fields: readonly string[]): string {
  const rows = new Map<string, string[]>();
  for (const field of [...fields].sort()) {
    const { is, note = "" } = rules[field] as FieldRule;
    const rule = `${OUTCOME[is]} | ${note}`;
    rows.set(rule, [...(rows.get(rule) ?? []), field]);
  }
  return [
    "| Fields | Treatment | Details |",
    "|---|---|---|",
    ...[...rows].map(([rule, names]) => `| ${code(names)} | ${rule} |`),
  ].join("\n");
}

/** The rules of fields that aren't for Signalbox itself. */
const table = (rules: FieldRules) =>
  listed(
    rules,
    Object.keys(rules).filter((field) => !Object.hasOwn(OWN_FIELDS, field)),
  );

const settings = Object.entries(EFFECTIVE_SETTINGS)
  .map(([name, value]) => `\`${name}\` (${value})`)
  .join(", ");

const refusedValues = [
  "| Field | Rule |",
  "|---|---|",
  ...Object.entries(REFUSED_VALUES).map(([field, rule]) => `| \`${field}\` | ${rule} |`),
].join("\n");

/** The document, whose tables are the code's own. */
const DOCUMENT = `# Protocols: what reaches an upstream, and what comes back

<!-- Written by lib/engine/protocols/protocols-document.test.ts: \`npx vitest run -u --config lib/testing/vitest.config.ts --project unit protocols-document\` -->

If the caller and the upstream speak the same protocol, requests and answers pass as they are, unknown fields included. Otherwise they are converted: what the upstream's
protocol can't express excludes the endpoint, and if no other one is left, the response is 400 with every such field. A provider's [kind and \`protocol\`](providers.md)
say what its upstream speaks.

| Request | Upstream | Rules |
|---|---|---|
| any | the same protocol | [passed on as sent](#the-same-protocol-on-both-sides) |
| Responses | Chat Completions | [conversion](#responses-requests-to-a-chat-completions-upstream) |
| Messages | Chat Completions | [conversion](#messages-requests-to-a-chat-completions-upstream) |
| Chat Completions | Responses | [conversion](#chat-completions-requests-to-a-responses-upstream) |
| Chat Completions | Messages | [conversion](#chat-completions-requests-to-a-messages-upstream) |
| Chat Completions | Gemini, Vertex AI | [conversion](#chat-completions-requests-to-a-gemini-upstream) |
| Chat Completions | Bedrock's Converse | [conversion](#chat-completions-requests-to-a-converse-upstream) |
| Responses, Messages | others | first to Chat Completions, then to the upstream's protocol; refusals name the caller's own fields |

All text that passes is [scanned](content-filters.md#coverage), counted and recorded.

## Fields for Signalbox itself

No upstream receives the caller's values of these fields, in any protocol:

${listed(OWN_FIELDS, Object.keys(OWN_FIELDS))}

## The same protocol on both sides

Numbers are doubles, in requests and answers: integers beyond 2^53 are rounded. Send long IDs as strings, also in \`tool_use\` inputs.

### Requests

Every other field is sent as it is, with nulls and unknown fields. So are values that Signalbox doesn't know, such as a new type of a tool, a part or an item, a new effort or tier: the warning
\`unknown-value\` names their place, as in \`unknown-value=tools[].type\`. \`tool_choice: "any"\` is sent as \`required\`. Except:

**Chat Completions**

${table(SAME_PROTOCOL.chat_completions)}

**Responses**

${table(SAME_PROTOCOL.responses)}

**Messages**

${table(SAME_PROTOCOL.messages)}

Chat Completions and Messages bodies are refused only for a wrong type, a missing field or a limit such as the length of \`user\`. Responses bodies are also limited by the routing API that presets follow:

${refusedValues}

Tuning parameters (${code([...TUNING_PARAMETERS].sort())}) aren't sent to an endpoint whose \`supported_parameters\` lack them. The response header
\`X-Signalbox-Warnings\` names them, and fields that Signalbox doesn't know, percent-encoded: \`unknown-field=temprature, unsupported-field=seed\`. The generation's record has the unknown ones.

### Answers

Every field of an answer passes, whole and streamed. Signalbox sets:

| In | Fields |
|---|---|
| a chat completion and its chunks | ${code(OWN_OF_COMPLETION)} |
| a Responses object | ${code(OWN_OF_RESPONSE)}; and if the upstream sends none or null: ${settings} |
| events of Responses | \`sequence_number\`, and in \`response\` the fields above. \`response.created\` and \`response.in_progress\` are added if the upstream sends neither |
| a Messages answer | ${code(OWN_OF_MESSAGE)}. The last two events wait until the answer is recorded |
| usage | \`cost\`, \`cost_details\`, \`is_byok\`; \`cached_tokens\` and \`reasoning_tokens\` if the details lack them |

- Tool calls get a missing id, in streams a missing index, and text for arguments that are an object. \`reasoning_content\`, and text in \`reasoning_details\`, is also sent as \`reasoning\`. A whole message always has \`content\` and \`refusal\`, and its
  choice \`logprobs\` and \`native_finish_reason\`. The usage of a stream is sent if the request asks for it: with its cost in the last chunk, else as the upstream sends it.
- Filters and checks change only the texts that match. They remove \`logprobs\`, turn a \`content\` that is a list into its text (in whole chat completions only if a match is in it), and send citations, signatures and other parts of a message that aren't
  text with the end of their block. Thinking that they change loses its signature; later requests to a Messages upstream are sent without it.

## Conversion to another protocol

| Treatment | Meaning |
|---|---|
| carried | sent under its name and with its value |
| mapped | sent in another form |
| honoured | not sent; Signalbox applies it to the answer |
| not sent | without effect on the endpoint |
| dropped | a hint that isn't sent, unless the endpoint's \`supported_parameters\` name the field: then it is sent as it is. \`X-Signalbox-Warnings\` names it: \`unsupported-field=seed\` |
| refused | changes what is requested: excludes the endpoint, unless its \`supported_parameters\` name the field. Fields of a request that Signalbox doesn't know are refused too |

A conversion refuses only what changes the meaning of a request. Decoration of the history and of tools, such as a message's \`name\` and every field that Signalbox doesn't know there, is dropped, and
named by its place: \`unsupported-field=messages[].name\`. So are calls of tools that another upstream ran, and their results.

Values that Signalbox doesn't know are refused in \`tool_choice\`, formats, \`modalities\` and \`thinking.type\`, which change what is requested, and as types of tools, items and parts. Other ones, such as
an effort or the detail of an image, are treated like the known ones. Chat Completions requests for Responses upstreams may have any type of tool.

Null, and values that ask for nothing (0, 1 for \`n\` and \`repetition_penalty\`, false), are left out. Tuning parameters aren't sent to an endpoint whose \`supported_parameters\` lack them.

### Honoured by Signalbox

- **\`stop\`**: the text ends before the first sequence, with the finish reason \`stop\`. The upstream goes on to its own end, which is billed.
- **\`parallel_tool_calls: false\`**: the first call is kept.
- **\`response_format: json_object\`**: an instruction is added to \`system\`. Text and code fences around the first JSON object are removed; an answer that ends without one fails with status 502.
- **Custom tools** become functions whose argument \`input\` is one string; a grammar is described in words. Their calls come back as calls of custom tools, whole at the end of a stream.
- **\`tool_choice: none\`**, and calls in a history without \`tools\`, towards Converse: tools are left out, or declared if the history has calls, because Converse demands them; then an instruction rules calls
  out, and a call that comes nevertheless is left out.

### Responses requests to a Chat Completions upstream

${table(RESPONSES_TO_CHAT)}

- **Web search**: \`web_search\` becomes \`web_search_options\` for endpoints known to support it. For others, it is refused if it is the only tool or \`tool_choice\` demands it. Beside other tools, as coding
  agents offer it, it is left out: \`X-Signalbox-Warnings\` has \`left-out-tool=web_search\`, and the generation's record \`left_out_tools\`.
- **Earlier reasoning** is sent as \`reasoning\` of the assistant's message to endpoints known to support \`reasoning\`.
- Images need an address; outputs of tools are text.

### Messages requests to a Chat Completions upstream

${table(MESSAGES_TO_CHAT)}

- **Texts** of a message are joined with line breaks. A search result is sent as its text, a document as its text or as a file. An error of a tool begins with \`Error: \`.
- **Earlier thinking** is sent as \`reasoning\`, with its signature in \`reasoning_details\`, to endpoints known to support it.
- **Web search** beside other tools is left out and recorded as for Responses requests (\`left-out-tool=web_search_20250305\`).
- Hints about caching are left out. Citations of documents, and files by id, are refused. Documents by address reach only Responses, Messages and Gemini upstreams.

### Chat Completions requests to a Responses upstream

${table(CHAT_TO_RESPONSES)}

Encrypted \`reasoning_details\` become reasoning items; other earlier reasoning isn't sent. Hints about caching on parts of messages are left out.

### Chat Completions requests to a Messages upstream

${table(CHAT_TO_MESSAGES)}

- **Content**: parts of messages keep \`cache_control\`. Images and PDFs are sent by address or in base64, plain texts as documents, also in outputs of tools. Blank texts are left out. Every tool call needs
  its result before the next answer.
- **Earlier reasoning** is sent as thinking blocks if its \`reasoning_details\` have a signature of the format \`anthropic-claude-v1\`, as answers of such upstreams do; other reasoning isn't sent.
- **Reasoning** of Claude before 4.6, and of other vendors' models, is a number of tokens. An effort becomes a share of the maximum output (10 % \`minimal\`, 20 % \`low\`, 50 % \`medium\`, 80 % \`high\`, 95 % \`xhigh\`
  and \`max\`), at least 1,024 tokens, and is left out if the limit has no room for them. Later models take an effort; a number of tokens becomes \`low\`, \`medium\` or \`high\` by the same shares.
- **\`temperature\`, \`top_p\` and \`top_k\`** aren't sent to Claude from 4.7 on, which rejects them, unless \`supported_parameters\` name them. \`X-Signalbox-Warnings\` names them as \`unsupported-field\`.
- **From a Responses request**, \`cache_control\`, \`top_k\`, limits of reasoning, images as outputs of tools, and a \`web_search\` that isn't beside other tools reach a Messages upstream, although Chat
  Completions upstreams don't take them.

### Chat Completions requests to a Gemini upstream

Providers of kind \`gemini\` and \`vertex\` are sent \`:generateContent\` or, for a stream, \`:streamGenerateContent\`. Refused fields are never sent.

${table(CHAT_TO_GENERATE_CONTENT)}

- **Media**: data URLs are sent as \`inlineData\`, addresses as \`fileData\` with the media type of their extension. Files by id are refused; a file's name isn't sent. An image's \`detail\` is its
  \`mediaResolution\`, which models before Gemini 3 don't receive.
- **Outputs of tools** are paired with their calls by id and sent as \`output\` of a \`functionResponse\`.
- **Earlier reasoning** isn't sent, but its signatures are. Calls of another model in the history are marked as such, because newer models reject them otherwise.

### Chat Completions requests to a Converse upstream

Providers of kind \`bedrock\` are sent Converse or ConverseStream. A refused field that an endpoint's \`supported_parameters\` name is sent in \`additionalModelRequestFields\`.

${table(CHAT_TO_CONVERSE)}

- Media are data URLs or \`s3://\` addresses. Blank texts are left out. \`cache_control\` becomes cache points.
- Efforts become 1,024 (\`minimal\`), 2,048, 8,192, 16,384 or 32,768 (\`xhigh\`, \`max\`) tokens of Claude's thinking, less than the answer's limit; below 1,024 there is none.
- Signed reasoning in \`reasoning_details\` is sent.

## Answers of another protocol

Citations, log probabilities, finish reasons and usage are mapped in both directions. Tokens read from a cache or written to it are part of \`prompt_tokens\`, with
\`cached_tokens\`, \`cache_write_tokens\` and \`cache_write_1h_tokens\` as details.

### Responses and Chat Completions

A chat completion becomes output items: its reasoning as a summary, one message, images, function calls, custom tool calls, and calls of functions of a
\`namespace\` with their own name and namespace. In the other direction, output items become one choice; unsupported items are left out.

### Messages upstreams

Text, thinking and tool calls become content, \`reasoning\` with \`reasoning_details\`, and tool calls. Citations of search results
become URL citations; those of documents keep their fields. Tools that the upstream's server runs are left out.

### Messages clients

| Answer | Sent as |
|---|---|
| reasoning | \`thinking\` blocks; the signature is empty unless a Messages upstream wrote it |
| reasoning that another vendor encrypted | \`redacted_thinking\`, which later requests return only to the upstream it came from |
| tool calls | \`tool_use\` blocks, one after the other |
| finish reason \`stop\`, \`length\`, \`tool_calls\`, \`content_filter\` | \`end_turn\`, \`max_tokens\`, \`tool_use\`, \`refusal\` |
| tokens of a cache | counted beside \`input_tokens\`, not in it |
| usage of a stream | an estimate of \`input_tokens\` in \`message_start\`, the upstream's counts in \`message_delta\` |
| generated images and audio | left out |

### Gemini upstreams

| Answer | Sent as |
|---|---|
| candidates, thoughts, function calls, images | choices, \`reasoning\`, tool calls, \`images\` |
| calls without an id | tool calls with an id derived from the answer's |
| sources | \`annotations\` of the type \`url_citation\` |
| \`thoughtSignature\` | encrypted \`reasoning_details\` of the format \`google-gemini-v1\`, that of a call also as its \`extra_content.google.thought_signature\`; send either back. For Responses clients, \`encrypted_content\` of a reasoning item |
| \`SAFETY\`, \`RECITATION\` and the like, a blocked prompt | finish reason \`content_filter\` |
| \`MALFORMED_FUNCTION_CALL\` and other failures of the model | finish reason \`error\` |
| the upstream's own reason | \`native_finish_reason\` |
| tokens of thoughts | part of the completion |

### Converse upstreams

Blocks become content, \`reasoning\` with \`reasoning_details\`, and tool calls. \`guardrail_intervened\` and \`content_filtered\` are the finish reason \`content_filter\`.

## Open Responses

\`POST /v1/responses\` follows version 2026-04-24 of the [Open Responses](https://www.openresponses.org) specification over HTTP: response objects and
events validate against its schema, with settings in force instead of null. The API is [stateless](semantics.md#responses-requests). WebSocket and \`/responses/compact\` aren't implemented. Of the
17 tests of the public compliance suite, the 8 over HTTP without compaction pass.
`;

it("is current", async () => {
  await expect(DOCUMENT).toMatchFileSnapshot("../../../docs/protocols.md");
});

import { expect, it } from "vitest";
import type { Protocol } from "../endpoint";
import { MESSAGES_TO_CHAT } from "./chat/from-messages";
import { RESPONSES_TO_CHAT } from "./chat/from-responses";
import type { FieldRule, FieldRules } from "./field-rules";
import { TUNING_PARAMETERS } from "./parameters";
import { CHAT_TO_CONVERSE } from "./converse/from-chat";
import { CHAT_TO_GENERATE_CONTENT } from "./generate-content/from-chat";
import { CHAT_TO_MESSAGES } from "./messages/from-chat";
import { CHAT_TO_RESPONSES } from "./responses/from-chat";
import { SAME_PROTOCOL } from "./same-protocol";
import { EFFECTIVE_SETTINGS, OWN_OF_COMPLETION, OWN_OF_MESSAGE, OWN_OF_RESPONSE } from "./vocabulary";

const OUTCOME = { carried: "carried", mapped: "mapped", refused: "refused", ours: "not sent" } as const;

const code = (names: Iterable<string>) => [...names].map((name) => `\`${name}\``).join(", ");
const row = (field: string, rule: FieldRule) => `| \`${field}\` | ${OUTCOME[rule.is]} | ${rule.note ?? ""} |`;
const table = (rules: FieldRules) =>
  [
    "| Field | | |",
    "|---|---|---|",
    ...Object.keys(rules)
      .sort()
      .map((field) => row(field, rules[field] as FieldRule)),
  ].join("\n");

const same = (protocol: Protocol) => table(SAME_PROTOCOL[protocol]);

const settings = Object.entries(EFFECTIVE_SETTINGS)
  .map(([name, value]) => `\`${name}\` (${value})`)
  .join(", ");

/** The document, whose tables are the code's own. */
const DOCUMENT = `# Protocols: what reaches an upstream, and what comes back

<!-- Written by lib/engine/protocols/protocols-document.test.ts: \`npx vitest run -u --config lib/testing/vitest.config.ts --project unit protocols-document\` -->

Signalbox speaks Chat Completions, Responses and Messages with callers and with upstreams. A provider's \`protocol\` says which one its upstream
speaks. Every string that passes is scanned like the rest ([content-filters.md](content-filters.md#coverage)), counted, and recorded.

## The same protocol on both sides

Every field of a request passes as it was sent, unknown fields, nulls and values of nested objects included, except these:

### Chat Completions requests

${same("chat_completions")}

### Responses requests

${same("responses")}

### Messages requests

${same("messages")}

Parameters that tune an answer (${code([...TUNING_PARAMETERS].sort())}) aren't sent to an endpoint whose \`supported_parameters\` leave them
out. Such fields, and fields that Signalbox doesn't know, are named in the response header \`X-Signalbox-Warnings\`, percent-encoded
(\`unknown-field=temprature, unsupported-field=seed\`), and unknown ones in the generation's record.

### Answers

Every field of an answer passes, whole and streamed: all choices, \`system_fingerprint\`, audio, annotations, citations, further fields and
details of usage. Signalbox sets:

- of a chat completion and its chunks: ${code(OWN_OF_COMPLETION)};
- of a Responses object: ${code(OWN_OF_RESPONSE)}. Events pass except \`response.created\`, \`response.in_progress\` and \`response.queued\`,
  which are written anew, and \`sequence_number\`;
- of a Responses object whose upstream leaves them out or sends null: ${settings};
- of a Messages answer: ${code(OWN_OF_MESSAGE)}. Events pass as they are; the last two wait until the answer is recorded;
- in usage: \`cost\`, \`cost_details\` and \`is_byok\`; \`cached_tokens\` and \`reasoning_tokens\` are added when the details lack them.

Deviations of upstreams are repaired: calls of tools get an id, a type and an index of their own, and
\`reasoning_content\`, and text in \`reasoning_details\`, is also sent as \`reasoning\`. A whole message always has \`content\` and \`refusal\`, and its choice \`logprobs\` and
\`native_finish_reason\`. A stream's usage is sent if the request asks for it.

Filters and checks change only the texts that match. They remove \`logprobs\`, a content that is a list becomes its text, and pieces of a message that
aren't texts, such as citations and signatures, are sent with the end of their block. Thinking that they change loses its signature, which no
longer holds for it, so that later requests to a Messages upstream are sent without that thinking.

## Conversion to another protocol

An endpoint whose upstream speaks another protocol receives a conversion. A field is *carried* under its name and with its value, *mapped*, or
*refused*: the endpoint is excluded, and if no other endpoint is left, the response is 400 with every refused field. Values that ask for
nothing (null, and the defaults named here) are left out. An endpoint whose \`supported_parameters\` name a refused field receives it
unchanged; one whose list leaves out a tuning parameter doesn't receive it. Fields that Signalbox doesn't know are refused.

### Responses requests to a Chat Completions upstream

${table(RESPONSES_TO_CHAT)}

\`web_search\` becomes \`web_search_options\` for endpoints known to support it. Other endpoints aren't sent a \`web_search\` that is offered beside
other tools and that \`tool_choice\` doesn't demand, as coding agents do: the header \`X-Signalbox-Warnings\` has \`left-out-tool=web_search\`,
and the generation's record \`left_out_tools\`. A \`web_search\` on its own is refused. Earlier reasoning is sent as \`reasoning\` of the assistant's
message to endpoints known to support \`reasoning\`. Images need an address, and outputs of tools are text.

### Messages requests to a Chat Completions upstream

${table(MESSAGES_TO_CHAT)}

Hints about caching are left out. Texts of a message are joined with line breaks, a search result is sent as its text, a document as its text or
as a file. An error of a tool begins with \`Error: \`. Earlier thinking is sent as \`reasoning\`, with its signature in
\`reasoning_details\`, to endpoints known to support it. Citations of documents and files by id are refused. Addresses of documents are sent to
Responses, Messages and Gemini upstreams only. A web search that is offered beside other tools is left out and named in \`X-Signalbox-Warnings\`
(\`left-out-tool=web_search_20250305\`) and in the generation's record. For other upstreams the request becomes a Chat
Completions request first, whose tables apply; refusals name the caller's own fields.

### Chat Completions requests to a Responses upstream

${table(CHAT_TO_RESPONSES)}

Encrypted \`reasoning_details\` become reasoning items; other earlier reasoning isn't sent. Hints about caching on parts of messages are left
out.

### Chat Completions requests to a Messages upstream

${table(CHAT_TO_MESSAGES)}

Parts of messages keep \`cache_control\`. Images and PDFs are sent by address or in base64, plain texts as documents, also in outputs of tools.
Blank texts are left out. Every call of a tool needs its result before the next answer. Earlier reasoning is sent as thinking blocks if
its \`reasoning_details\` have a signature of the format \`anthropic-claude-v1\`, which answers of such upstreams have; other reasoning isn't sent.

How reasoning is requested depends on the model: Claude before 4.6 and other vendors' models take a number of tokens, an effort as its share of the
maximum output (10 % \`minimal\`, 20 % \`low\`, 50 % \`medium\`, 80 % \`high\`, 95 % \`xhigh\` and \`max\`), at least 1,024 and left out where
the limit has no room for them. Later models decide by themselves and take an effort; a number of tokens becomes \`low\`, \`medium\` or \`high\` by the same
shares. \`temperature\`, \`top_p\` and \`top_k\` aren't sent to Claude from 4.7 on, which rejects them, unless the endpoint's
\`supported_parameters\` name them; the response header names them as \`unsupported-field\`.

A Responses request becomes a Chat Completions request first, and that a Messages request. What only a Chat Completions upstream couldn't be
sent passes: \`cache_control\`, \`top_k\`, limits of reasoning, images as outputs of tools, and a \`web_search\` unless it is offered beside other tools.

### Answers for Messages clients

Reasoning becomes \`thinking\` blocks, whose signature is empty unless a Messages upstream wrote them; reasoning that another vendor encrypted
becomes \`redacted_thinking\`, which is given back to the upstream it came from and to no Messages upstream. Calls become \`tool_use\` blocks, one
after the other. The finish reasons \`stop\`, \`length\`, \`tool_calls\` and \`content_filter\` are \`end_turn\`, \`max_tokens\`, \`tool_use\` and
\`refusal\`. Tokens of a cache are counted beside \`input_tokens\`. Generated images and audio are left out.
A stream's \`message_start\` has an estimate of \`input_tokens\`; \`message_delta\` has the counts of the upstream.

### Chat Completions requests to a Gemini upstream

An upstream with the protocol \`generate_content\`, of kind \`gemini\` or \`vertex\`, is sent \`:generateContent\` or, for a stream,
\`:streamGenerateContent\`. Refused fields aren't sent to any endpoint.

${table(CHAT_TO_GENERATE_CONTENT)}

Data URLs are sent as \`inlineData\`, addresses as \`fileData\`, whose media type is that of the extension; files by id are refused, and a file's
name isn't sent. An image's \`detail\` is its \`mediaResolution\`, which models before Gemini 3 don't receive. Outputs of tools are paired with
their calls by id and sent as \`output\` of a \`functionResponse\`. Earlier reasoning isn't sent; its signatures are.

### Answers of Gemini

Candidates become choices, thoughts \`reasoning\`, calls tool calls, images \`images\`, and sources \`annotations\` of the type \`url_citation\`. Calls
without an id get one from the answer's own. A \`thoughtSignature\` is sent as encrypted \`reasoning_details\` of the format
\`google-gemini-v1\`, and that of a call also as its \`extra_content.google.thought_signature\`; callers send either back. Responses clients
find it as \`encrypted_content\` of a reasoning item. Newer models reject calls of another model in the history, so these are marked as such. \`SAFETY\`, \`RECITATION\` and the like are the finish reason
\`content_filter\`, as is a blocked prompt; \`MALFORMED_FUNCTION_CALL\` and other failures of the model are \`error\`. The upstream's own
reason is \`native_finish_reason\`. Tokens of thoughts are part of the completion.

### Chat Completions requests to a Converse upstream

An upstream with the protocol \`converse\`, of kind \`bedrock\`, is sent Converse or ConverseStream. A refused field that an endpoint's
\`supported_parameters\` name is sent in \`additionalModelRequestFields\`.

${table(CHAT_TO_CONVERSE)}

Media are data URLs or \`s3://\` addresses. Blank texts are left out. Marks of \`cache_control\` become cache points. Efforts of reasoning become
1,024 (\`minimal\`), 2,048, 8,192, 16,384 or 32,768 (\`xhigh\`, \`max\`) tokens of Claude's thinking, fewer than the answer's limit, and none below
1,024. Signed reasoning in \`reasoning_details\` is given back.

### Answers of Converse

Blocks become content, \`reasoning\` with \`reasoning_details\`, and calls. \`guardrail_intervened\` and \`content_filtered\` are the finish reason
\`content_filter\`. Tokens read from and written to the cache are part of the prompt.

### Answers of another protocol

A chat completion becomes output items: reasoning as its summary, one message, images, function calls, calls of custom tools, and calls of functions of a
\`namespace\` with their own name and namespace. Output items become one choice; items without a counterpart are left out of it. Citations,
log probabilities, finish reasons and usage are mapped in both directions.

Of a message, text, thinking and calls of tools become content, \`reasoning\` with \`reasoning_details\`, and tool calls. Citations of search results
become URL citations, those of documents keep their fields; tools that the upstream's server runs leave no trace. Tokens read from the cache or written to
it are part of \`prompt_tokens\`, with \`cached_tokens\`, \`cache_write_tokens\` and \`cache_write_1h_tokens\` as details.

## Open Responses

\`POST /v1/responses\` follows version 2026-04-24 of the [Open Responses](https://www.openresponses.org) specification over HTTP: response objects and
events validate against its schema, with settings in force instead of null. The API is stateless: \`previous_response_id\`, \`conversation\`,
\`background: true\` and \`store: true\` are a 400. WebSocket and \`/responses/compact\` aren't implemented. Of the 17 tests of the public compliance
suite, the 8 over HTTP without compaction pass.
`;

it("is current", async () => {
  await expect(DOCUMENT).toMatchFileSnapshot("../../../docs/protocols.md");
});

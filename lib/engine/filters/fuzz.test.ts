import { env } from "node:process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ChatCompletionsBody } from "../protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../protocols/contracts/responses-request-contract";
import { endpointOf } from "../../testing/endpoints";
import { cases } from "../../testing/random";
import { MessagesBody } from "../protocols/contracts/messages-request-contract";
import { BUILTIN_SLUGS } from "./vocabulary";
import type { Protocol } from "../endpoint";
import type { InferenceRequest } from "../protocols/inference-request";
import { upstreamRequest } from "../protocols/upstream-request";
import { BUILTIN_DETECTORS } from "./builtin-detectors";
import { requestVocabulary } from "./coverage";
import { leavesOf } from "./leaves";
import { compilePatterns } from "./pattern-set";
import { scan, ScanStop } from "./scan";
import { CopyOnWrite } from "./write-back";

/** Bodies per protocol. A longer run: `SIGNALBOX_FUZZ_RUNS=50000`. */
const RUNS = Number(env["SIGNALBOX_FUZZ_RUNS"] ?? cases(1000));
const SECRET = "MARKER-7Q";
const finders = { builtins: BUILTIN_DETECTORS, patterns: compilePatterns([SECRET]) };
const RULE = {
  detector: { kind: "pattern" as const, pattern: SECRET },
  action: "redact" as const,
  label: "[P]",
  scanScope: "all_messages" as const,
};
const ALL_RULES = [
  RULE,
  ...BUILTIN_SLUGS.map((slug) => ({ ...RULE, detector: { kind: "builtin" as const, slug }, action: "flag" as const })),
];
const CONTRACTS = { responses: ResponsesBody, chat_completions: ChatCompletionsBody, messages: MessagesBody };

type Node = Record<string, unknown>;

const base64 = (text: string) => Buffer.from(text).toString("base64");
const wide = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le").toString("base64");
const FORMS = [
  SECRET,
  `a ${SECRET} b`,
  `data:;base64,${SECRET}`,
  `data:image/png;base64,${SECRET}`,
  `data:text/plain;base64,${base64(`it is ${SECRET}`)}`,
  base64(`it is ${SECRET}`),
  "ＭＡＲＫＥＲ－７Ｑ",
  "MAR\u200bKER-\u00ad7Q",
  "МARKER-7Q",
  "MARKER&#45;7Q",
  "MARKER%2D7Q",
  "\\u004dARKER-7Q",
  "MARKER**-**7Q",
  "MARKER-\n7Q",
];
/** Forms for data of files and media. */
const FILES = [
  SECRET,
  base64(`it is ${SECRET}`),
  `data:text/plain;base64,${base64(`it is ${SECRET}`)}`,
  wide(SECRET),
  base64(`${SECRET}\0`),
];

const schema = {
  type: "object",
  properties: {
    city: { type: "string", description: "where", enum: ["Rome", "Oslo"], pattern: "^[RO]" },
    n: { type: "integer", default: 3 },
  },
  required: ["city"],
};
const common = {
  model: "m",
  metadata: { ticket: "T" },
  prompt_cache_key: "k",
  user: "u",
  session_id: "s",
  plugins: [{ id: "web", search_prompt: "p" }],
  trace: { trace_id: "t" },
  stop_server_tools_when: [{ type: "has_tool_call", tool_name: "f" }],
  image_config: { size: "big" },
  modalities: ["text"],
};
const SEEDS: Record<Protocol, Node> = {
  responses: {
    ...common,
    instructions: "be kind",
    prompt: { id: "p", variables: { a: "b", file: { type: "input_file", file_data: "aGk=", filename: "a.txt" } } },
    safety_identifier: "id",
    include: ["reasoning.encrypted_content"],
    reasoning: { effort: "low", summary: "auto" },
    text: { format: { type: "json_schema", name: "answer", description: "d", schema } },
    tool_choice: { type: "function", name: "f" },
    tools: [
      { type: "function", name: "f", description: "finds", parameters: schema },
      {
        type: "custom",
        name: "g",
        description: "d",
        format: { type: "grammar", syntax: "lark", definition: "start: A" },
      },
      { type: "mcp", server_label: "s", server_url: "https://x.example", headers: { a: "b" }, allowed_tools: ["t"] },
      { type: "namespace", name: "n", description: "d", tools: [{ type: "function", name: "h" }] },
      { type: "web_search", filters: { allowed_domains: ["x.example"] }, user_location: { city: "Oslo" } },
      { type: "novel", option: "o" },
    ],
    input: [
      { role: "user", content: "hello" },
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: "one" },
          { type: "input_text", text: "two" },
          { type: "input_image", image_url: "https://x.example/a.png" },
          { type: "input_file", filename: "a.txt", file_data: "aGk=" },
          { type: "input_audio", input_audio: { format: "wav", data: "UklG" } },
          { type: "novel", value: "v" },
        ],
      },
      { type: "reasoning", id: "r", summary: [{ type: "summary_text", text: "s" }], encrypted_content: "x" },
      { type: "function_call", call_id: "c", name: "f", arguments: '{"city":"Rome"}' },
      { type: "function_call_output", call_id: "c", output: [{ type: "input_text", text: "sunny" }] },
      { type: "shell_call", call_id: "d", action: { commands: ["ls"], env: { A: "b" } } },
      { type: "mcp_list_tools", id: "l", server_label: "s", tools: [{ name: "t", input_schema: schema }] },
      {
        role: "assistant",
        content: [
          { type: "output_text", text: "done" },
          { type: "refusal", refusal: "no" },
        ],
      },
    ],
  },
  messages: {
    model: "m",
    max_tokens: 100,
    metadata: { user_id: "ada" },
    session_id: "s",
    plugins: [{ id: "web", search_prompt: "p" }],
    trace: { trace_id: "t" },
    stop_sequences: ["END"],
    system: [{ type: "text", text: "be kind", cache_control: { type: "ephemeral" } }],
    thinking: { type: "enabled", budget_tokens: 2000 },
    output_config: { effort: "low", format: { type: "json_schema", schema } },
    tool_choice: { type: "tool", name: "f" },
    tools: [
      { name: "f", description: "finds", input_schema: schema, input_examples: [{ city: "Rome" }] },
      { type: "web_search_20250305", name: "web_search", user_location: { type: "approximate", city: "Oslo" } },
      { type: "novel", option: "o" },
    ],
    mcp_servers: [{ type: "url", url: "https://x.example", name: "s", authorization_token: "t" }],
    context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
    messages: [
      { role: "user", content: "hello" },
      {
        role: "user",
        content: [
          { type: "text", text: "one" },
          { type: "text", text: "two" },
          { type: "image", source: { type: "url", url: "https://x.example/a.png" } },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
          { type: "document", title: "t", context: "c", source: { type: "text", media_type: "text/plain", data: "d" } },
          { type: "document", source: { type: "base64", media_type: "application/pdf", data: "aGk=" } },
          { type: "document", source: { type: "content", content: [{ type: "text", text: "part" }] } },
          { type: "search_result", source: "s", title: "t", content: [{ type: "text", text: "found" }] },
          { type: "novel", value: "v" },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: "x" },
          { type: "redacted_thinking", data: "x" },
          { type: "text", text: "done" },
          { type: "tool_use", id: "c", name: "f", input: { city: "Rome", deep: [{ a: "b" }] } },
          { type: "server_tool_use", id: "d", name: "web_search", input: { query: "q" } },
          { type: "web_search_tool_result", tool_use_id: "d", content: [{ type: "web_search_result", title: "t" }] },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c", is_error: true, content: [{ type: "text", text: "sunny" }] },
          { type: "text", text: "more" },
        ],
      },
      { role: "system", content: "be brief" },
    ],
  },
  chat_completions: {
    ...common,
    stop: ["END"],
    logit_bias: { "50256": -100 },
    prediction: { type: "content", content: "p" },
    response_format: { type: "json_schema", json_schema: { name: "answer", schema } },
    tool_choice: { type: "function", function: { name: "f" } },
    tools: [
      { type: "function", function: { name: "f", description: "finds", parameters: schema } },
      { type: "novel", option: "o" },
    ],
    messages: [
      { role: "system", content: "be kind" },
      {
        role: "user",
        name: "Ann",
        content: [
          { type: "text", text: "one" },
          { type: "text", text: "two" },
          { type: "image_url", image_url: { url: "data:image/png;base64,aGk=", detail: "low" } },
          { type: "file", file: { filename: "a.txt", file_data: "data:text/plain;base64,aGk=" } },
          { type: "input_audio", input_audio: { format: "wav", data: "UklG" } },
        ],
      },
      {
        role: "assistant",
        content: "I look",
        reasoning: "hm",
        reasoning_details: [{ type: "reasoning.text", text: "hm" }],
        tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: '{"city":{"name":"Rome"}}' } }],
      },
      { role: "tool", tool_call_id: "c", content: [{ type: "text", text: "sunny" }] },
      { role: "user", content: "thanks" },
    ],
  },
};

/** Places of a value: an owner and one of its keys. */
function placesOf(value: unknown, found: [owner: Node, key: string][] = []): [owner: Node, key: string][] {
  if (typeof value === "object" && value !== null)
    for (const key of Object.keys(value)) {
      found.push([value as Node, key]);
      placesOf((value as Node)[key], found);
    }
  return found;
}

const names = [...requestVocabulary().names];
/** True for files and media; the data of a plain text source is a text, and that of redacted thinking opaque. */
const isFile = (owner: Node, key: string) =>
  /^(?:file_data|data|b64_json)$/.test(key) && !["text", "redacted_thinking"].includes(String(owner["type"]));

/** Changes a body in a few places, and puts the secret in some form into at least one. */
const bodyOf = (protocol: Protocol) =>
  fc.gen().map((draw) => {
    const body = structuredClone(SEEDS[protocol]);
    const inserted: string[] = [];
    const oneOf = (list: readonly string[]) => list[draw(fc.nat, { max: list.length - 1 })] ?? "";
    const form = (forms: readonly string[] = FORMS) => {
      const chosen = oneOf(forms);
      inserted.push(chosen);
      return chosen;
    };
    const times = draw(fc.integer, { min: 1, max: 4 });
    for (let time = 0; time < times; time += 1) {
      const places = placesOf(body);
      const [owner, key] = places[draw(fc.nat, { max: places.length - 1 })] ?? [body, "model"];
      const value = owner[key];
      const kind = draw(fc.integer, { min: 0, max: 9 });
      if (kind <= 3 && typeof value === "string")
        owner[key] = key === "arguments" ? JSON.stringify({ a: [form()] }) : form(isFile(owner, key) ? FILES : FORMS);
      else if (kind === 4 && typeof value === "string") owner[key] = `${value} ${form()}`;
      else if (kind === 5 && Array.isArray(value)) value.push(form());
      else if (kind === 6 && typeof value === "object" && value !== null && !Array.isArray(value)) {
        // A name can't be split by layout or hidden in a data URL's claim.
        inserted.push(SECRET);
        (value as Node)[draw(fc.boolean) ? SECRET : `x ${SECRET}`] = draw(fc.jsonValue, {
          maxDepth: 1,
          stringUnit: "binary",
        });
      } else if (kind === 7 && typeof value === "object" && value !== null && !Array.isArray(value))
        (value as Node)[oneOf(names)] = draw(fc.boolean) ? form() : { deep: [{ er: form() }] };
      else if (kind === 8) owner[key] = draw(fc.jsonValue, { maxDepth: 2, stringUnit: "binary" });
      else if (kind === 9 && Array.isArray(value) && value.length > 1)
        value.splice(draw(fc.nat, { max: value.length - 1 }), 1);
    }
    return { body, inserted, rules: draw(fc.nat, { max: 19 }) === 0 ? ALL_RULES : [RULE] };
  });

const stringsOf = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, part]) => [key, ...stringsOf(part)])
      : [];

const supported = [
  "metadata",
  "cache_control",
  "prompt_cache_options",
  "stop_server_tools_when",
  "top_k",
  "frequency_penalty",
  "presence_penalty",
  "modalities",
  "image_config",
  "stop",
  "logit_bias",
  "prediction",
  "verbosity",
  "reasoning",
];
const ENDPOINTS = (["responses", "chat_completions"] as const).flatMap((protocol) =>
  [null, supported].map((supportedParameters) => endpointOf({ provider: { protocol }, supportedParameters })),
);

it.each(["responses", "chat_completions", "messages"] as const)(
  "no text of a %s body goes upstream unscanned, whatever the body",
  (protocol) => {
    const outcomes = { invalid: 0, blocked: 0, redacted: 0, untouched: 0 };
    fc.assert(
      fc.property(bodyOf(protocol), ({ body, inserted, rules }) => {
        const parsed = CONTRACTS[protocol].safeParse(body);
        if (!parsed.success) {
          outcomes.invalid += 1;
          return;
        }
        const leaves = [...leavesOf(protocol, parsed.data)].filter((leaf) => leaf !== null);
        let result;
        try {
          result = scan(rules, leaves, finders, () => undefined);
        } catch (error) {
          if (error instanceof ScanStop) return;
          throw error;
        }
        if (result.findings.some(({ rule, isFixed }) => rule === 0 && isFixed)) {
          outcomes.blocked += 1;
          return;
        }
        const copy = new CopyOnWrite<object>(parsed.data);
        for (const { leaf, text } of result.redacted) copy.write(leaves[leaf]?.path ?? [], text);
        outcomes[result.redacted.length > 0 ? "redacted" : "untouched"] += 1;
        const request = { protocol, body: copy.value } as InferenceRequest;
        for (const endpoint of ENDPOINTS) {
          const sent = stringsOf(upstreamRequest(request, endpoint).body);
          for (const secret of inserted) expect(sent.filter((text) => text.includes(secret))).toEqual([]);
        }
      }),
      { numRuns: RUNS },
    );
    expect(outcomes.redacted + outcomes.blocked).toBeGreaterThan(RUNS / 4);
  },
  3_000_000,
);

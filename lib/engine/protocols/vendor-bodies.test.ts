import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import type { Protocol } from "../endpoint";
import { leavesOf } from "../filters/leaves";
import { ChatCompletionsBody } from "./contracts/chat-request-contract";
import { MessagesBody } from "./contracts/messages-request-contract";
import { ResponsesBody } from "./contracts/responses-request-contract";
import { LATER, LATER_VALUE, vendorBodies, type VendorBody } from "../../testing/vendor-bodies";
import { endpointOf } from "../../testing/endpoints";
import type { InferenceRequest } from "./inference-request";
import { unknownValues } from "./known-values";
import { SAME_PROTOCOL, type REFUSED_VALUES } from "./same-protocol";
import { upstreamRequest } from "./upstream-request";

/** Bodies that are refused, by the documented field. */
const REFUSED: Readonly<Record<Protocol, Partial<Record<keyof typeof REFUSED_VALUES, string[]>>>> = {
  chat_completions: {},
  responses: {
    background: [".background=true"],
    conversation: [".conversation", ".conversation.id"],
    include: [".include[]=new"],
    input: [".input[](user).role=new", ".input[].id", ".input[].type=null"],
    previous_response_id: [".previous_response_id"],
    prompt: [".prompt.variables.*(new)"],
    prompt_cache_options: [
      ".prompt_cache_options",
      ".prompt_cache_options.mode=implicit",
      ".prompt_cache_options.mode=new",
      ".prompt_cache_options.ttl=30m",
      ".prompt_cache_options.ttl=new",
    ],
    service_tier: [".service_tier=new"],
    store: [".store=true"],
    text: [".text.verbosity=new"],
    tool_choice: [".tool_choice=new"],
  },
  messages: {},
};

const SCHEMAS = {
  chat_completions: ChatCompletionsBody.transform((body): InferenceRequest => ({ protocol: "chat_completions", body })),
  responses: ResponsesBody.transform((body): InferenceRequest => ({ protocol: "responses", body })),
  messages: MessagesBody.transform((body): InferenceRequest => ({ protocol: "messages", body })),
} satisfies Record<Protocol, z.ZodType<InferenceRequest>>;

describe.each<[Protocol, string, string]>([
  ["chat_completions", "openai/resources/chat/completions/completions.d.ts", "ChatCompletionCreateParamsNonStreaming"],
  ["responses", "openai/resources/responses/responses.d.ts", "ResponseCreateParamsNonStreaming"],
  ["messages", "@anthropic-ai/sdk/resources/messages/messages.d.ts", "MessageCreateParamsNonStreaming"],
])("%s bodies that the vendor's types allow, and values that later versions may", (protocol, file, type) => {
  const bodies = vendorBodies(`node_modules/${file}`, type);
  const read = ({ body }: VendorBody) => SCHEMAS[protocol].safeParse(body).data;
  const accepted = bodies.flatMap((given) => {
    const request = read(given);
    return request ? [{ ...given, request }] : [];
  });

  it("are accepted, but for what the routing API rules out", () => {
    expect(bodies.length).toBeGreaterThan(200);
    const refused = bodies.filter((given) => read(given) === undefined).map(({ name }) => name);
    expect([...new Set(refused)].sort()).toEqual(Object.values(REFUSED[protocol]).flat().sort());
  });

  it("reach an upstream of the same protocol as sent", () => {
    const endpoint = endpointOf({ provider: { protocol }, supportedParameters: null });
    const changed = accepted.flatMap(({ name, body, request }) => {
      const sent = upstreamRequest(request, endpoint).body;
      const fields = Object.keys(body).filter((field) => !Object.hasOwn(SAME_PROTOCOL[protocol], field));
      return fields.every((field) => isDeepStrictEqual(sent[field], body[field])) ? [] : [name];
    });
    expect(changed).toEqual([]);
  });

  it("are scanned by content filters where Signalbox doesn't know a value", () => {
    const unread = accepted.filter(({ name, body }) => {
      const leaves = [...leavesOf(protocol, body)].filter((leaf) => leaf !== null);
      return LATER.test(name) && name !== ".model=new" && !leaves.some(({ text }) => text.includes(LATER_VALUE));
    });
    expect(unread.map(({ name }) => name)).toEqual([]);
  });

  it("have a warning only if the vendor doesn't know them either", () => {
    const warned = accepted.filter(({ request }) => unknownValues(request).length > 0);
    expect(warned.filter(({ name }) => !LATER.test(name)).map(({ name }) => name)).toEqual([]);
    expect(warned.length).toBeGreaterThan(10);
  });
});

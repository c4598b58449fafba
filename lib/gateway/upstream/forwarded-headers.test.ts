import { expect, it } from "vitest";
import { endpointOf } from "../../testing/endpoints";
import { clientAttributes } from "../../platform/http/request-facts";
import { forwardedHeaders } from "./forwarded-headers";

const client = clientAttributes(new Headers({ "anthropic-beta": "context-1m", "openai-beta": "responses=v1" }));

it.each([
  ["chat_completions", "chat_completions", { "openai-beta": "responses=v1" }],
  ["responses", "responses", { "openai-beta": "responses=v1" }],
  ["messages", "messages", { "anthropic-beta": "context-1m" }],
  ["responses", "chat_completions", {}],
  ["chat_completions", "messages", {}],
] as const)("features in beta of %s to %s are %j", (protocol, upstream, expected) => {
  expect(forwardedHeaders(protocol, endpointOf({ provider: { protocol: upstream } }), client)).toEqual(expected);
});

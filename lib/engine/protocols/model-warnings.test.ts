import { expect, it } from "vitest";
import { endpointOf } from "../../testing/endpoints";
import type { InferenceRequest } from "./inference-request";
import { warningsOf } from "./warnings";

const request: InferenceRequest = {
  protocol: "chat_completions",
  body: { model: "openai/gpt-4-32k", stream: false, messages: [{ role: "user", content: "hi" }] },
};

it("warns of a deprecated model, with its retirement and what replaces it", () => {
  const lifecycle = { deprecatedAt: null, retiresAt: "2025-06-06T00:00:00.000Z", replacement: "gpt-4o" };
  const endpoint = endpointOf({ model: { slug: "openai/gpt-4-32k" }, lifecycle });
  expect(warningsOf(request, [], endpoint)).toBe(
    "deprecated-model=openai%2Fgpt-4-32k, retires=2025-06-06, replacement=gpt-4o",
  );
  expect(warningsOf(request, [], endpointOf())).toBeNull();
});

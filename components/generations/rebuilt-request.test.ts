import { expect, it } from "vitest";
import type { GenerationContent } from "@/lib/features/content-access/contract";
import type { Generation } from "@/lib/records/generations/contract";
import { BODIES } from "@/lib/features/policy-check/rules";
import { rebuiltRequest } from "./rebuilt-request";

const messages: GenerationContent["input"]["messages"] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Look it up" },
  {
    role: "assistant",
    content: "",
    tool_calls: [{ id: "call-1", type: "function", function: { name: "look_up", arguments: "{}" } }],
  },
  { role: "tool", content: "42", tool_call_id: "call-1" },
];
const content: GenerationContent = { error: null, input: { messages }, output: { completion: "", reasoning: null } };
const generation = (fields: Partial<Generation>) =>
  ({
    model: "m/answered",
    requested_model: "m/requested",
    preset_id: null,
    key_hash: "k",
    decisions: [],
    ...fields,
  }) as Generation;

it.each(["responses", "chat_completions"] as const)("rebuilds a valid %s request, including tool calls", (protocol) => {
  const body = rebuiltRequest(generation({ protocol }), content);
  expect(BODIES[protocol].safeParse(body).error?.issues ?? []).toEqual([]);
  expect(body["model"]).toBe("m/requested");
  expect(JSON.stringify(body)).toContain("call-1");
});

it.each(["completions", "embeddings"] as const)("rebuilds the texts of %s as a chat", (protocol) => {
  const texts = ["one", "two"].map((text) => ({ role: "user", content: text }));
  const body = rebuiltRequest(generation({ protocol }), { ...content, input: { messages: texts } });
  expect(BODIES.chat_completions.safeParse(body).error?.issues ?? []).toEqual([]);
  expect(body).toEqual({ model: "m/requested", messages: texts });
});

it("names the model resolved from the preset, not the preset", () => {
  const given = generation({ protocol: "responses", requested_model: "@preset/brief", preset_id: "p" });
  expect(rebuiltRequest(given, content)["model"]).toBe("m/answered");
});

import { expect, it } from "vitest";
import type { GenerationContent } from "@/lib/features/content-access/contract";
import { presetBodyOf } from "./preset-body";

const content = (messages: GenerationContent["input"]["messages"]): GenerationContent => ({
  error: null,
  input: { messages },
  output: { completion: "", reasoning: null },
});
const user = { role: "user", content: "Hello" };

it("keeps the model and system prompt in the request's protocol", () => {
  const said = content([{ role: "system", content: "Be brief." }, { role: "developer", content: "Be kind." }, user]);
  expect(presetBodyOf({ protocol: "responses", model: "m" }, said)).toEqual({
    model: "m",
    instructions: "Be brief.\n\nBe kind.",
    input: "",
  });
  expect(presetBodyOf({ protocol: "chat_completions", model: "m" }, said)).toEqual({
    model: "m",
    messages: [{ role: "system", content: "Be brief.\n\nBe kind." }],
  });
  expect(presetBodyOf({ protocol: "responses", model: "m" }, content([user]))).toEqual({ model: "m", input: "" });
});

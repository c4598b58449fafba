import { expect, it } from "vitest";
import { nameOfVendor } from "./vocabulary";

it.each([
  ["deepseek", "DeepSeek"],
  ["moonshotai", "MoonshotAI"],
  ["xai", "xAI"],
  ["openai", "OpenAI"],
  ["mistral", "Mistral AI"],
  ["zai", "Z.ai"],
  ["nvidia", "NVIDIA"],
  ["qwen", "Qwen"],
  ["cohere", "Cohere"],
  ["ai21", "AI21 Labs"],
  ["my-lab", "My Lab"],
])("spells %s as %s", (slug, name) => {
  expect(nameOfVendor(slug)).toBe(name);
});

import { expect, it } from "vitest";
import { kindOfAddress } from "./vocabulary";

it.each([
  ["https://api.anthropic.com/v1", "anthropic"],
  ["https://acme.openai.azure.com", "azure"],
  ["https://generativelanguage.googleapis.com/v1beta", "gemini"],
  ["https://europe-west4-aiplatform.googleapis.com/v1", "vertex"],
  ["https://aiplatform.googleapis.com/v1", "vertex"],
  ["https://bedrock-runtime.eu-west-1.amazonaws.com", "bedrock"],
  ["https://api.openai.com/v1", "openai"],
  ["https://llm.example.com/v1", null],
  ["https://api.anthropic.com.example.com", null],
  ["", null],
  ["https:", null],
])("%s tells %s", (address, kind) => {
  expect(kindOfAddress(address, ["https://api.openai.com/v1"])).toBe(kind);
});

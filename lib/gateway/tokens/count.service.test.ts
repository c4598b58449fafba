import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";
import { countTokens as countCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { describe, expect, it } from "vitest";
import { scriptTokens } from "../../engine/tokens/script-tokens";
import { countTokens } from "./count-service";
import { growth } from "../../testing/processor-time";

const TEXT = "Alle Menschen sind frei und gleich an Würde und Rechten geboren. 人人生而自由。";

describe("countTokens", () => {
  it("uses the tokenizer of the model's family", async () => {
    // On a busy machine, loading a tokenizer may take longer than a request waits.
    const counted = (model: string, texts: string[]) => expect.poll(() => countTokens(model, texts));
    await counted("gpt-4o-2024-08-06", [TEXT, "hi"]).toEqual({
      tokens: countO200k(TEXT) + countO200k("hi"),
      isExact: true,
    });
    await counted("openai/gpt-3.5-turbo", [TEXT]).toEqual({ tokens: countCl100k(TEXT), isExact: true });
  });

  it("estimates for models whose tokenizer isn't public, and for very long texts", async () => {
    const { expected } = scriptTokens(TEXT);
    expect(await countTokens("claude-sonnet-4-5", [TEXT])).toEqual({ tokens: expected, isExact: false });
    const long = "word ".repeat(200_001);
    expect(await countTokens("gpt-5", [long])).toEqual({ tokens: scriptTokens(long).expected, isExact: false });
  });

  it("reads special tokens as text", async () => {
    expect((await countTokens("gpt-5", ["<|endoftext|>"])).tokens).toBeGreaterThan(1);
  });

  it("counts long runs without breaks in linear time", async () => {
    const count = (size: number) => countTokens("gpt-5", ["a".repeat(size), " ".repeat(size)]);
    const { isExact, tokens } = await count(200_000);
    expect(isExact).toBe(true);
    expect(tokens).toBeGreaterThan(10_000);
    expect(await growth(200_000, count)).toBeLessThan(10);
  });
});

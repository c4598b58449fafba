import { describe, expect, it } from "vitest";
import { charactersOf, meanLogprob, toLegacyLogprobs } from "./legacy-logprobs";

const bytesOf = (text: string) => [...new TextEncoder().encode(text)];
const token = (text: string, logprob: number, top_logprobs: object[] = []) => ({
  token: text,
  logprob,
  bytes: bytesOf(text),
  top_logprobs,
});

const TOKENS = [token("Hé", -0.5, [{ token: "He", logprob: -1 }]), token(" 😀", -0.25), token("!", -3)];

describe("log probabilities of text completions", () => {
  it("have tokens, their probabilities and alternatives, and where they begin in characters", () => {
    expect(toLegacyLogprobs(TOKENS, 1)).toEqual({
      tokens: ["Hé", " 😀", "!"],
      token_logprobs: [-0.5, -0.25, -3],
      top_logprobs: [{ He: -1, Hé: -0.5 }, { " 😀": -0.25 }, { "!": -3 }],
      text_offset: [0, 2, 4],
    });
    expect(charactersOf(TOKENS)).toBe(5);
  });

  it("have no alternatives unless requested, and continue at an offset", () => {
    expect(toLegacyLogprobs(TOKENS.slice(2), 0, 4)).toEqual({
      tokens: ["!"],
      token_logprobs: [-3],
      top_logprobs: null,
      text_offset: [4],
    });
  });

  it("count a character that several tokens spell once, and tokens without bytes by their text", () => {
    const [first = 0, ...rest] = bytesOf("é");
    const halves = [
      { token: "\\xc3", logprob: -1, bytes: [first] },
      { token: "\\xa9", logprob: -1, bytes: rest },
      { token: "ab", logprob: null },
      { token: "c" },
    ];
    expect(toLegacyLogprobs(halves, 0)).toMatchObject({
      token_logprobs: [-1, -1, null, null],
      text_offset: [0, 1, 1, 3],
    });
  });

  it("have a mean, which is the lowest if it is unknown", () => {
    expect(meanLogprob(TOKENS)).toBe(-1.25);
    expect(meanLogprob([])).toBe(-Infinity);
    expect(meanLogprob(undefined)).toBe(-Infinity);
  });
});

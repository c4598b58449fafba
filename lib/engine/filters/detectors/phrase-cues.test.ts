import { describe, expect, it } from "vitest";
import { cuesOf } from "./phrase-cues";
import { WORD_FAMILIES } from "./prompt-injection-families";

const cuesOfPhrase = (phrase: string) => [...cuesOf([phrase]).cues.keys()].sort();

describe("cuesOf", () => {
  it("finds words of which every match contains one", () => {
    expect(cuesOfPhrase("(?:ignore|forget)(?: [^ .:]{1,24}){0,4} (?:your|the) rules?")).toEqual(["forget", "ignore"]);
    expect(cuesOfPhrase("(?:tell|show)(?: me)? [a-z]{1,9} secrets")).toEqual(["secrets"]);
    expect(cuesOfPhrase("(?:ignor(?:e|ing) it|obey me)")).toEqual(["ignore", "ignoring", "obey"]);
  });

  it("takes no part of a word for a word", () => {
    expect(cuesOf(["[a-z]{0,9}bot", "secret[a-z]{0,3}"]).uncued).toEqual(["[a-z]{0,9}bot", "secret[a-z]{0,3}"]);
  });

  it("bounds the words around a cue, without those repeated freely", () => {
    const { cues, loops } = cuesOf(["you(?: now)* obey(?: [a-z]{1,9}){0,3} me"]);
    expect([...loops]).toEqual(["now"]);
    expect(cues.get("obey")).toMatchObject([{ before: 2, after: 8, others: new Set(["me"]), neighbors: [] }]);
  });

  it("gives the words that are always beside a cue", () => {
    const { cues } = cuesOf(["(?:look past|obey) it", "(?:look into|look far into) it"]);
    const neighborsOf = (word: string) => cues.get(word)?.map(({ neighbors }) => neighbors);
    expect(neighborsOf("obey")).toEqual([[]]);
    expect(neighborsOf("look")).toEqual([
      [[[1, "past"]]],
      [
        [[1, "into"]],
        [
          [1, "far"],
          [2, "into"],
        ],
      ],
    ]);
  });

  it("finds cues for every phrase of prompt injections", () => {
    expect(cuesOf(WORD_FAMILIES.flatMap(({ phrases = [] }) => phrases)).uncued).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { parseScript } from "./script-arguments.mjs";

const CONFIG = {
  options: {
    rounds: { type: "string", default: "5" },
    only: { type: "string", default: "" },
    save: { type: "boolean" },
  },
  note: "Takes a minute",
} as const;
const USAGE = 'Usage: npm run x -- [--rounds 5] [--only ""] [--save]\nTakes a minute';
const parse = (...args: string[]) => parseScript(args, "npm run x --", CONFIG);

describe("arguments of a script", () => {
  it("have defaults", () => {
    expect(parse("--save")).toMatchObject({ code: null, values: { rounds: "5", only: "", save: true }, usage: USAGE });
  });

  it.each([["--help"], ["--save", "-h"]])("print the usage with %s %s", (...args) => {
    expect(parse(...args)).toEqual({ code: 0, text: USAGE });
  });

  it.each([
    [["--frob"], "Unknown option '--frob'"],
    [["--rounds"], "Option '--rounds <value>' argument missing"],
    [["extra"], "Unexpected argument 'extra'"],
  ])("are wrong: %j", (args, problem) => {
    const { code, text } = parse(...args) as { code: number; text: string };
    expect(code).toBe(2);
    expect(text.startsWith(problem)).toBe(true);
    expect(text.endsWith(`\n${USAGE}`)).toBe(true);
  });
});

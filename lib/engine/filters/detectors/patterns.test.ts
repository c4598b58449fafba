import { readdirSync, readFileSync } from "node:fs";
import { check } from "recheck";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const OWN =
  /^(?:email|phone.*|ssn|credit-card|ip-address|surroundings|secrets|secret-formats|prompt-injection.*|person-name.*|address.*|.*view|encodings|look-alikes)\.ts$/;
const FOLDERS = ["./", "../readings/"].map((folder) => new URL(folder, import.meta.url));

interface Literal {
  name: string;
  source: string;
  flags: string;
}

function literalsOf(folder: URL, name: string): Literal[] {
  const found: Literal[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      found.push({
        name: `${name} ${node.text.slice(0, 50)}`,
        source: node.text.slice(1, end),
        flags: node.text.slice(end + 1),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, readFileSync(new URL(name, folder), "utf8"), ts.ScriptTarget.Latest));
  return found;
}

const literals = FOLDERS.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => OWN.test(name))
    .flatMap((name) => literalsOf(folder, name)),
);

describe("patterns applied to whole texts", () => {
  it.each(literals.filter(({ flags }) => flags.includes("g")))(
    "no text is found on which $name backtracks catastrophically",
    async ({ source, flags }) => {
      // Static proof only: the fuzzing mode mistakes bounded repetitions for unbounded ones and reports more the longer
      // it runs.
      const verdict = await check(source, flags, { checker: "automaton", timeout: 2000 });
      expect(verdict.status, JSON.stringify(verdict)).not.toBe("vulnerable");
    },
  );
});

import { describe, expect, it } from "vitest";
import { answerTexts } from "./answer-texts";
import { BUILTIN_DETECTORS } from "./builtin-detectors";
import { leavesOf } from "./leaves";
import { compilePatterns } from "./pattern-set";
import { scan, type ScanLeaf } from "./scan";

const rules = (["secrets", "phone", "ssn"] as const).map((slug) => ({
  detector: { kind: "builtin" as const, slug },
  action: "redact" as const,
  label: "[X]",
  userOnly: false,
}));
const redacted = (leaves: readonly ScanLeaf[]) => {
  const finders = { builtins: BUILTIN_DETECTORS, patterns: compilePatterns([]) };
  return scan(rules, leaves, finders, () => undefined).redacted.map(({ text }) => text);
};
const called = (args: string) => redacted([{ text: args, form: "json", isUser: false }]);
const sent = (body: Record<string, unknown>) =>
  redacted([...leavesOf("messages", body)].filter((leaf) => leaf !== null));
const used = (input: object) => sent({ messages: [{ role: "assistant", content: [{ type: "tool_use", input }] }] });

/** Values that only the name of their property shows. */
const VALUES: [name: string, value: string | number][] = [
  ["api_key", "k3J9sLq0ZxPw82mNvB71"],
  ["password", "Tr0ub4dor&3x"],
  ["ssn", "219099999"],
  ["ssn", 219_099_999],
  ["phone", "5550143"],
];

describe.each(VALUES)("%s %j", (name, value) => {
  it("is found in the arguments of a call", () => {
    expect(called(JSON.stringify({ a: 1, b: { [name]: value } }))).toEqual([`{"a":1,"b":{"${name}":"[X]"}}`]);
    expect(called(`{"${name}" : ["x", ${JSON.stringify(value)}]}`)).toEqual([`{"${name}" : ["x", "[X]"]}`]);
  });

  it("is found in the input of a tool, in metadata, and in fields that no contract knows", () => {
    expect(used({ [name]: value })).toEqual(["[X]"]);
    expect(used({ a: { [name]: ["x", value] } })).toEqual(["[X]"]);
    expect(sent({ metadata: { [name]: value }, other: { [name]: value } })).toEqual(["[X]", "[X]"]);
  });

  it("is found in an answer", () => {
    const leaves = [...answerTexts({ content: [{ type: "tool_use", input: { [name]: value } }] })];
    expect(redacted(leaves.map((leaf) => ({ ...leaf, isUser: false })))).toEqual(["[X]"]);
  });

  it("isn't found under another name", () => {
    expect(called(JSON.stringify({ [name]: {}, size: value }))).toEqual([]);
    expect(used({ size: value })).toEqual([]);
  });
});

it("the same value is found under one name and not under another", () => {
  const value = "k3J9sLq0ZxPw82mNvB71";
  expect(used({ size: value, api_key: value, colour: value })).toEqual(["[X]"]);
});

it("an identifier isn't taken for a secret by its name, because it can't be redacted", () => {
  expect(used({ a: 1, $password: "Tr0ub4dor&3x" })).toEqual(["[X]"]);
  expect(sent({ other: { $password: "Tr0ub4dor&3x" } })).toEqual([]);
});

import { describe, expect, it } from "vitest";
import { responseTexts } from "./response-texts";
import { BUILTIN_DETECTORS } from "./builtin-detectors";
import { leavesOf } from "./leaves";
import { compilePatterns } from "./pattern-set";
import { scan, type ScanLeaf } from "./scan";

const rules = (["secrets", "phone", "ssn"] as const).map((slug) => ({
  detector: { kind: "builtin" as const, slug },
  action: "redact" as const,
  label: "[X]",
  scanScope: "all_messages" as const,
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
    const leaves = [...responseTexts({ content: [{ type: "tool_use", input: { [name]: value } }] })];
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

describe("a label in the text before its value", () => {
  const said = (...texts: string[]) =>
    sent({ messages: [{ role: "user", content: texts.map((text) => ({ type: "text", text })) }] });

  it.each<[name: string, label: string, next: string, redacted: string]>([
    ["a password", "The password is:", "Tr0ub4dor&3x", "[X]"],
    ["a quoted key", "api_key =", '"k3J9sLq0ZxPw82mNvB71"', '"[X]"'],
    ["a number with words behind it", "My SSN:", "219099999 and no other", "[X] and no other"],
    [
      "long texts",
      `${"Words before. ".repeat(40)}phone:`,
      `5550143${", more".repeat(80)}`,
      `[X]${", more".repeat(80)}`,
    ],
  ])("%s", (_, label, next, expected) => expect(said(label, next)).toEqual([expected]));

  it.each([
    ["isn't in another message", ["user", "assistant"]],
    ["is of the text before alone", ["user", "user", "user"]],
  ])("%s", (_, roles) => {
    const messages = roles.map((role, index) => ({
      role,
      content: index === 0 ? "The password is:" : index === roles.length - 1 ? "Tr0ub4dor&3x" : "No.",
    }));
    expect(sent({ messages })).toEqual([]);
  });

  it("doesn't reach over a word", () => expect(said("Your new password:", "was sent to you by email.")).toEqual([]));
  it("is only for what begins the next text", () =>
    expect(said("The order of my phone:", "has the number 5550143")).toEqual([]));
});

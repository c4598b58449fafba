import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ChatCompletionsBody, ResponsesBody } from "../../gateway/contract";
import { BUILTIN_DETECTORS } from "./builtin-detectors";
import { EXEMPTIONS, UNSCANNED } from "./coverage";
import { leavesOf, type LeafPath } from "./leaves";
import { compilePatterns } from "./pattern-set";
import { scan } from "./scan";

const MARKER = "MARKER-7Q";
const finders = { builtins: BUILTIN_DETECTORS, patterns: compilePatterns([MARKER]) };
const RULE = {
  detector: { kind: "pattern" as const, pattern: MARKER },
  action: "block" as const,
  label: "[X]",
  userOnly: false,
};

type Node = Record<string, unknown>;
type Body = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);

/** A value with a marker in one place. */
interface Sample {
  value: unknown;
  path: LeafPath;
  isName: boolean;
}

/** Returns a value of every variant of a JSON schema for each of its strings and property names, with a marker there. */
function samplesOf(schema: unknown, root: Node, depth = 0): Sample[] {
  if (!isNode(schema) || depth > 12) return [];
  const { $ref, anyOf, oneOf, allOf, properties, items, additionalProperties } = schema;
  const type = Array.isArray(schema["type"])
    ? (schema["type"] as string[]).find((one) => one !== "null")
    : schema["type"];
  if (typeof $ref === "string")
    return samplesOf(
      $ref
        .split("/")
        .slice(1)
        .reduce((node: unknown, key) => (node as Node)[key], root),
      root,
      depth + 1,
    );
  const variants = [anyOf, oneOf, allOf].find(Array.isArray) as unknown[] | undefined;
  if (variants) return variants.flatMap((variant) => samplesOf(variant, root, depth + 1));
  if (type === "array")
    return samplesOf(items, root, depth + 1).map(({ value, path, isName }) => ({
      value: [value],
      path: [0, ...path],
      isName,
    }));
  if (type === "object" || isNode(properties)) {
    const fields = Object.entries(isNode(properties) ? properties : {});
    const rest = Object.fromEntries(
      fields.flatMap(([name, field]) =>
        isNode(field) && typeof field["const"] === "string" ? [[name, field["const"]]] : [],
      ),
    );
    const isOpen = additionalProperties !== false;
    return [
      ...fields.flatMap(([name, field]) =>
        samplesOf(field, root, depth + 1).map(({ value, path, isName }) => ({
          value: { ...rest, [name]: value },
          path: [name, ...path],
          isName,
        })),
      ),
      ...(isOpen
        ? [
            { value: { ...rest, [`x${MARKER}`]: 1 }, path: [`x${MARKER}`], isName: true },
            { value: { ...rest, x: [{ y: `a ${MARKER}` }] }, path: ["x", 0, "y"], isName: false },
          ]
        : []),
    ];
  }
  if (schema["const"] !== undefined || schema["enum"] !== undefined) return [];
  if (type === "string" || type === undefined) return [{ value: `a ${MARKER} b`, path: [], isName: false }];
  return [];
}

const CONTRACTS = { responses: ResponsesBody, chat_completions: ChatCompletionsBody };

/** Scans a body and returns the paths with the marker. */
function scanned(protocol: keyof typeof CONTRACTS, body: Body): string[] {
  const leaves = [...leavesOf(protocol, body)].filter((leaf) => leaf !== null);
  const { findings } = scan([RULE], leaves, finders, () => undefined);
  return findings.flatMap(({ spans }) =>
    spans.map(({ leaf }) => `${leaves[leaf]?.form === "name"} ${leaves[leaf]?.path.join(".")}`),
  );
}

describe.each(["responses", "chat_completions"] as const)("%s", (protocol) => {
  const root = z.toJSONSchema(CONTRACTS[protocol], { io: "input", unrepresentable: "any" }) as Node;
  const samples = samplesOf(root, root);

  it("has samples of every field, item, part and tool", () => {
    const fields = new Set(samples.map(({ path }) => path[0]));
    const types = JSON.stringify(root).match(/"const":"[^"]+"/g) ?? [];
    const sampled = JSON.stringify(samples);
    expect(samples.length).toBeGreaterThan(300);
    for (const field of ["metadata", "tools", "model", "prompt_cache_key"]) expect(fields).toContain(field);
    for (const type of types) expect(sampled).toContain(type.slice(8));
  });

  it("is scanned in every string and property name that isn't exempt", () => {
    const missed = samples.filter(
      ({ value, path, isName }) =>
        !UNSCANNED[protocol].has(String(path[0])) &&
        !scanned(protocol, value as Body).includes(`${isName} ${path.join(".")}`),
    );
    // Unknown fields of the body itself are removed by the contract, and scanned anyway.
    expect(missed.map(({ path }) => path.join("."))).toEqual([]);
  });

  it("has no field exempt that the contract doesn't know", () => {
    for (const field of UNSCANNED[protocol]) expect(Object.keys(root["properties"] as Node)).toContain(field);
  });
});

it("lists the exemptions in the documentation", () => {
  const text = readFileSync(new URL("../../../docs/content-filters.md", import.meta.url), "utf8");
  const rows = new Map<string, string[]>();
  for (const { field, because, only, protocols } of EXEMPTIONS) {
    const key = `${protocols.length === 2 ? "both" : protocols.join()} | ${only ?? "any"} | ${because}`;
    rows.set(key, [...(rows.get(key) ?? []), `\`${field.replace("**.", "")}\``]);
  }
  const table = [...rows].map(([key, fields]) => `| ${fields.join(", ")} | ${key} |`);
  for (const row of table) expect(text).toContain(row);
  expect(
    text.match(/^\| .+ \| (?:both|responses|chat_completions) \| (?:any|opaque|media|defined) \| .+ \|$/gm),
  ).toEqual(table);
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ChatCompletionsBody } from "../protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../protocols/contracts/responses-request-contract";
import { samplesOf, type Sample } from "../../testing/contract-samples";
import { endpointOf } from "../../testing/endpoints";
import type { InferenceRequest } from "../protocols/inference-request";
import { upstreamRequest } from "../protocols/upstream-request";
import { BUILTIN_DETECTORS } from "./builtin-detectors";
import { ANSWER_EXEMPTIONS, EXEMPTIONS, UNSCANNED } from "./coverage";
import { PROTOCOLS } from "../protocols/vocabulary";
import { MessagesBody } from "../protocols/contracts/messages-request-contract";
import { leavesOf } from "./leaves";
import { compilePatterns } from "./pattern-set";
import { scan } from "./scan";

const MARKER = "MARKER-7Q";
const finders = { builtins: BUILTIN_DETECTORS, patterns: compilePatterns([MARKER]) };
const RULE = {
  detector: { kind: "pattern" as const, pattern: MARKER },
  action: "block" as const,
  label: "[X]",
  scanScope: "all_messages" as const,
};

type Body = Record<string, unknown>;

const CONTRACTS = { responses: ResponsesBody, chat_completions: ChatCompletionsBody, messages: MessagesBody };

/** Fields of the contracts with vendors' encrypted text. */
const SEALED = {
  responses: ["input.encrypted_content", "input.encrypted_content"],
  chat_completions: [],
  messages: ["messages.content.signature", "messages.content.data"],
};

/** Scans a body and returns the paths with the marker. */
function scanned(protocol: keyof typeof CONTRACTS, body: Body): string[] {
  const leaves = [...leavesOf(protocol, body)].filter((leaf) => leaf !== null);
  const { findings } = scan([RULE], leaves, finders, () => undefined);
  return findings.flatMap(({ spans }) =>
    spans.map(({ leaf }) => `${leaves[leaf]?.form === "name"} ${leaves[leaf]?.path.join(".")}`),
  );
}

describe.each(PROTOCOLS)("%s", (protocol) => {
  const samples = samplesOf(CONTRACTS[protocol], MARKER);
  const isExempt = ({ path }: Sample) => UNSCANNED[protocol].has(String(path[0]));

  it("has samples of every field, item, part and tool", () => {
    const fields = new Set(samples.map(({ path }) => path[0]));
    const sampled = JSON.stringify(samples);
    expect(samples.length).toBeGreaterThan(300);
    for (const field of ["metadata", "tools", "model", "provider"]) expect(fields).toContain(field);
    const types = JSON.stringify(z.toJSONSchema(CONTRACTS[protocol], { io: "input", unrepresentable: "any" }));
    for (const type of types.match(/"const":"[^"]+"/g) ?? []) expect(sampled).toContain(type.slice(8));
  });

  it("is scanned in every string and property name that isn't exempt", () => {
    const missed = samples
      .filter((sample) => !isExempt(sample))
      .filter(({ value, path, isName }) => !scanned(protocol, value).includes(`${isName} ${path.join(".")}`));
    expect(missed.map(({ path }) => path.join("."))).toEqual([]);
  });

  it("leaves out what looks encrypted only in the fields of vendors' encrypted text", () => {
    const sealed = `${MARKER}.card.4111-1111-1111-1111.please_remember_this_for_later_use`;
    const missed = samples
      .filter((sample) => !isExempt(sample) && !sample.isName)
      .filter(({ value, path }) => {
        const text = JSON.stringify(value)
          .replaceAll(new RegExp(`a ${MARKER}(?: b)?|${MARKER}`, "g"), sealed)
          .replace('"role":"user"', '"role":"assistant"');
        return !scanned(protocol, JSON.parse(text) as Body).includes(`false ${path.join(".")}`);
      });
    expect(missed.map(({ path }) => path.join(".").replaceAll(/\.\d+/g, ""))).toEqual(SEALED[protocol]);
  });

  it("doesn't send exempt fields upstream", () => {
    const exempt = samples.filter(isExempt);
    expect(new Set(exempt.map(({ path }) => path[0])).size).toBeGreaterThan(5);
    for (const { value } of exempt) {
      const body = { input: "", messages: [{ role: "user", content: "" }], ...value };
      for (const upstream of ["responses", "chat_completions"] as const) {
        const endpoint = endpointOf({ provider: { protocol: upstream }, supportedParameters: Object.keys(value) });
        const sent = upstreamRequest({ protocol, body } as unknown as InferenceRequest, endpoint);
        expect(JSON.stringify(sent)).not.toContain(MARKER);
      }
    }
  });

  it("has no field exempt that the contract doesn't know", () => {
    for (const field of UNSCANNED[protocol]) expect(Object.keys(CONTRACTS[protocol].shape)).toContain(field);
  });
});

function rowsOf(exemptions: typeof EXEMPTIONS): string[] {
  const rows = new Map<string, string[]>();
  for (const { field, because, only, protocols } of exemptions) {
    const key = `${protocols.length === PROTOCOLS.length ? "all" : protocols.join(", ")} | ${only ?? "any"} | ${because}`;
    rows.set(key, [...(rows.get(key) ?? []), `\`${field.replace("**.", "")}\``]);
  }
  return [...rows].map(([key, fields]) => `| ${fields.join(", ")} | ${key} |`);
}

it("lists the exemptions of requests and answers in the documentation", () => {
  const text = readFileSync(new URL("../../../docs/content-filters.md", import.meta.url), "utf8");
  const rows = text.match(
    /^\| .+ \| (?:all|(?:(?:responses|chat_completions|messages)(?:, )?)+) \| (?:any|opaque|media|defined) \| .+ \|$/gm,
  );
  expect(rows).toEqual([...rowsOf(EXEMPTIONS), ...rowsOf(ANSWER_EXEMPTIONS)]);
});

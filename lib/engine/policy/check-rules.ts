import "server-only";
import { createHash } from "node:crypto";
import type { ExternalCheck, Judge } from "../checks/contract";
import { CHECK_DEFAULTS, JUDGE_DEFAULTS } from "../checks/vocabulary";
import { scans, type Direction } from "../filters/vocabulary";
import { sourceOf, type Layer } from "./layers";
import type { Source } from "./contract";

/** An encrypted secret and the guardrail and check it belongs to. */
export interface SealedSecret {
  guardrailId: string;
  name: string;
  ciphertext: string;
}

interface Rule {
  name: string;
  /** The shortest deadline that a layer sets. */
  timeoutMs: number;
  /** The layers that name it, broadest first; for a judge, the layers that set its action. */
  sources: readonly Source[];
}

/** An endpoint in force. */
export interface EndpointRule extends Rule {
  field: "external_checks";
  url: string;
  format: NonNullable<ExternalCheck["format"]>;
  secret: SealedSecret | { plain: string } | null;
}

/** A model as judge in force. */
export interface JudgeRule extends Rule {
  field: "judges";
  model: string;
  instructions: string;
  threshold: number;
  action: Judge["action"];
}

/** A check in force, called once for all the layers that name it. */
export type CheckRule = EndpointRule | JudgeRule;

/**
 * Identifies the called endpoint or judge, independently of guardrails, names and deadlines. Layers with the same
 * identity share a call.
 */
export function checkIdentity(rule: CheckRule): string {
  const [kind, subject] =
    rule.field === "judges"
      ? ["judge", [rule.model, rule.instructions, String(rule.threshold)]]
      : ["endpoint", [rule.format, rule.url]];
  return `${kind}:${createHash("sha256").update(JSON.stringify(subject)).digest("base64url").slice(0, 22)}`;
}

function rulesOf(layer: Layer, direction: Direction): CheckRule[] {
  const sources = [sourceOf(layer)];
  const { guardrail, checkSecrets } = layer;
  const isInScope = ({ scope }: Pick<ExternalCheck, "scope">) => scans(scope, direction);
  const endpoints = (guardrail.external_checks ?? []).filter(isInScope).map((check): EndpointRule => {
    const { name, url, format, timeout_ms, secret } = { ...CHECK_DEFAULTS, ...check };
    const ciphertext = secret === null ? undefined : checkSecrets?.values[name];
    return {
      field: "external_checks",
      name,
      url,
      format,
      timeoutMs: timeout_ms,
      sources,
      secret: secret
        ? { plain: secret }
        : checkSecrets && ciphertext !== undefined
          ? { guardrailId: checkSecrets.guardrailId, name, ciphertext }
          : null,
    };
  });
  const judges = (guardrail.judges ?? []).filter(isInScope).map((judge): JudgeRule => {
    const { name, model, instructions, threshold, action, timeout_ms } = { ...JUDGE_DEFAULTS, ...judge };
    return { field: "judges", name, model, instructions, threshold, action, timeoutMs: timeout_ms, sources };
  });
  return [...endpoints, ...judges];
}

const together = (a: CheckRule, b: CheckRule) => [
  ...a.sources,
  ...b.sources.filter((source) => !a.sources.includes(source)),
];

function merged(known: CheckRule, other: CheckRule): CheckRule {
  const timeoutMs = Math.min(known.timeoutMs, other.timeoutMs);
  if (known.field === "judges" && other.field === "judges") {
    if (known.action === other.action) return { ...known, timeoutMs, sources: together(known, other) };
    return { ...(known.action === "block" ? known : other), name: known.name, timeoutMs };
  }
  if (known.field === "external_checks" && other.field === "external_checks")
    return { ...known, timeoutMs, sources: together(known, other), secret: known.secret ?? other.secret };
  return known;
}

/**
 * Merges the external checks and judges of all layers, for requests or for answers (docs/external-checks.md#rules). A
 * check of several layers is called once, under the broadest layer's name, with the shortest deadline and the strongest
 * action.
 */
export function checkRules(layers: readonly Layer[], direction: Direction = "request"): CheckRule[] {
  const rules = new Map<string, CheckRule>();
  for (const rule of layers.flatMap((layer) => rulesOf(layer, direction))) {
    const identity = checkIdentity(rule);
    const known = rules.get(identity);
    rules.set(identity, known ? merged(known, rule) : rule);
  }
  return [...rules.values()];
}

import "server-only";
import { createHash } from "node:crypto";
import type { ExternalCheck } from "../../records/guardrails/checks-contract";
import { CHECK_DEFAULTS } from "../../records/guardrails/vocabulary";
import { sourceOf, type Layer, type Source } from "./layers";

/** An encrypted secret and the guardrail and check it belongs to. */
export interface SealedSecret {
  guardrailId: string;
  name: string;
  ciphertext: string;
}

/** A check in force: one endpoint, called once for all the layers that name it. */
export interface CheckRule {
  field: "external_checks";
  name: string;
  url: string;
  format: NonNullable<ExternalCheck["format"]>;
  /** The shortest deadline that a layer sets. */
  timeoutMs: number;
  /** The layers that name the endpoint, broadest first. */
  sources: readonly Source[];
  secret: SealedSecret | { plain: string } | null;
}

/** Layers that name the same endpoint in the same format share a call. */
const subjectOf = ({ format, url }: Pick<CheckRule, "format" | "url">) => `${format} ${url}`;

/** Identifies an endpoint and format in a record, independently of guardrails and names. */
export const checkIdentity = (rule: Pick<CheckRule, "format" | "url">): string =>
  `endpoint:${createHash("sha256").update(subjectOf(rule)).digest("base64url").slice(0, 22)}`;

function rulesOf(layer: Layer): CheckRule[] {
  const source = sourceOf(layer);
  const { guardrail, checkSecrets } = layer;
  return (guardrail.external_checks ?? []).map((check) => {
    const { name, url, format, timeout_ms, secret } = { ...CHECK_DEFAULTS, ...check };
    const ciphertext = secret === null ? undefined : checkSecrets?.values[name];
    return {
      field: "external_checks",
      name,
      url,
      format,
      timeoutMs: timeout_ms,
      sources: [source],
      secret: secret
        ? { plain: secret }
        : checkSecrets && ciphertext !== undefined
          ? { guardrailId: checkSecrets.guardrailId, name, ciphertext }
          : null,
    };
  });
}

/**
 * Merges the external checks of all layers (docs/semantics.md#external-checks): an endpoint that several layers name is
 * called once, under the broadest layer's name, with the shortest deadline.
 */
export function checkRules(layers: readonly Layer[]): CheckRule[] {
  const rules = new Map<string, CheckRule>();
  for (const rule of layers.flatMap(rulesOf)) {
    const known = rules.get(subjectOf(rule));
    const merged = known && {
      ...known,
      timeoutMs: Math.min(known.timeoutMs, rule.timeoutMs),
      sources: [...known.sources, ...rule.sources.filter((source) => !known.sources.includes(source))],
      secret: known.secret ?? rule.secret,
    };
    rules.set(subjectOf(rule), merged ?? rule);
  }
  return [...rules.values()];
}

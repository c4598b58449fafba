// The packages that the content filters are measured beside, each asked in the way that suits it best.
import { SyncRedactor } from "@libretto/redact-pii-light";
import vard from "@andersmyrmel/vard";
import { checkAll, checkInjection } from "llm_guardrail";
import { OpenRedaction } from "@openredaction/core";
import type { BuiltinFilter } from "../lib/engine/filters/contract";

interface Span {
  start: number;
  end: number;
}
type Find = (text: string) => Span[] | Promise<Span[]>;
export interface Package {
  name: string;
  /** One or two ways to set it up; the better one counts. */
  setups: readonly Find[];
}

type Slug = BuiltinFilter["slug"];
const OPEN_REDACTION: Partial<Record<Slug, string[]>> = {
  email: ["EMAIL"],
  phone: ["PHONE_UK_MOBILE", "PHONE_UK", "PHONE_US", "PHONE_INTERNATIONAL", "PHONE_LINE_NUMBER"],
  ssn: ["SSN"],
  "credit-card": ["CREDIT_CARD"],
  "ip-address": ["IPV4", "IPV6"],
  "person-name": ["NAME"],
  address: ["ADDRESS_STREET", "ADDRESS_PO_BOX", "ZIP_CODE_US", "POSTCODE_UK"],
};
const REDACT_PII: Partial<Record<Slug, string[]>> = {
  email: ["emailAddress"],
  phone: ["phoneNumber"],
  ssn: ["usSocialSecurityNumber"],
  "credit-card": ["creditCardNumber"],
  "ip-address": ["ipAddress"],
  "person-name": ["names"],
  address: ["streetAddress", "zipcode"],
};
const REDACT_PII_ALL = [
  "names",
  "emailAddress",
  "phoneNumber",
  "usSocialSecurityNumber",
  "creditCardNumber",
  "ipAddress",
  "streetAddress",
  "zipcode",
  "credentials",
  "password",
  "username",
  "url",
  "digits",
];
const MARK = "\u0001";

/** Street and postcode found side by side are one address. */
function joined(spans: readonly Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = kept.at(-1);
    if (last && span.start <= last.end + 2) last.end = Math.max(last.end, span.end);
    else kept.push({ ...span });
  }
  return kept;
}

/** Spans of the original that the marks of a redacted text replace. */
function spansOf(text: string, redacted: string): Span[] {
  const [first = "", ...rest] = redacted.split(MARK);
  let start = first.length;
  return rest.map((literal, index) => {
    const found = index === rest.length - 1 ? text.length - literal.length : text.indexOf(literal, start + 1);
    const span = { start, end: found === -1 ? text.length : found };
    start = span.end + literal.length;
    return span;
  });
}

function openRedaction(slug: Slug): Find[] {
  const patterns = OPEN_REDACTION[slug];
  if (!patterns) return [];
  const setups = [
    new OpenRedaction({ patterns }),
    new OpenRedaction({
      patterns,
      enableContextAnalysis: false,
      enableFalsePositiveFilter: false,
      confidenceThreshold: 0,
    }),
  ];
  // It passes over addresses at example domains, which these corpora use: it sees another word of the same length.
  return setups.map((redaction) => async (text: string) => {
    const { detections } = await redaction.detect(
      text.replaceAll("example", "harbour").replaceAll("EXAMPLE", "HARBOUR"),
    );
    return joined(detections.map(({ position: [start, end] }) => ({ start, end })));
  });
}

function redactPiiLight(slug: Slug): Find[] {
  const kinds = REDACT_PII[slug];
  if (!kinds) return [];
  const others = REDACT_PII_ALL.filter((kind) => !kinds.includes(kind));
  const redactor = new SyncRedactor({
    globalReplaceWith: MARK,
    builtInRedactors: Object.fromEntries(others.map((kind) => [kind, { enabled: false }])),
  });
  return [(text) => joined(spansOf(text, redactor.redact(text)))];
}

const whole = (text: string, isFound: boolean): Span[] => (isFound ? [{ start: 0, end: text.length }] : []);

/** The two packages that do the same job as a builtin. */
export function packagesFor(slug: Slug): Package[] {
  if (slug !== "regex-prompt-injection")
    return [
      { name: "@openredaction/core", setups: openRedaction(slug) },
      { name: "@libretto/redact-pii-light", setups: redactPiiLight(slug) },
    ];
  return [
    {
      name: "@andersmyrmel/vard",
      setups: [vard.moderate(), vard.strict()].map(
        (guard) => (text: string) => whole(text, !guard.safeParse(text).safe),
      ),
    },
    {
      name: "llm_guardrail",
      setups: [
        async (text) => whole(text, (await checkInjection(text)).detected),
        async (text) => whole(text, !(await checkAll(text)).allowed),
      ],
    },
  ];
}

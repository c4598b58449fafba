import type { Change, Identity } from "../features/policy-file/diff";
import type { Weaker } from "../features/policy-file/weaker";

export interface Output {
  isTerminal: boolean;
  out: (text: string) => void;
  err: (text: string) => void;
}

const COLOURS = { green: 32, yellow: 33, red: 31, dim: 2, bold: 1 } as const;
type Colour = keyof typeof COLOURS;

const NOUNS = {
  provider: "provider",
  model: "model",
  workspace: "workspace",
  guardrail: "guardrail",
  preset: "preset",
  key: "key",
  member: "member",
  default_guardrail: "default guardrail of",
  alert: "alert",
} as const;
const MARKS = { create: ["+", "green"], update: ["~", "yellow"], delete: ["-", "red"] } as const satisfies Record<
  Change["action"],
  readonly [string, Colour]
>;

/** Formats an object's name: guardrail “Production” (workspace default). */
export function nameOf({ kind, workspace, name, copy }: Identity): string {
  const place = workspace === null || kind === "default_guardrail" ? "" : ` (workspace ${workspace})`;
  return `${NOUNS[kind]} “${name}”${copy > 1 ? `, copy ${copy}` : ""}${place}`;
}

/** Describes the protection that a change reduces. */
export const describeWeaker = ({ fields, ...change }: Weaker): string =>
  `! ${nameOf(change)} ${change.action === "delete" ? "is deleted" : `has less protection: ${fields.join(", ")}`}`;

const MAX_SHOWN = 200;
const shown = (value: unknown): string => {
  const text = value === null || value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
};

/** Prints either text or, at the end, one JSON document. */
export class Printer {
  readonly #output: Output;
  readonly #isJson: boolean;

  constructor(output: Output, { isJson }: { isJson: boolean }) {
    this.#output = output;
    this.#isJson = isJson;
  }

  line(text = "", colour?: Colour): void {
    if (!this.#isJson) this.#output.out(`${this.#coloured(text, colour)}\n`);
  }

  change({ action, fields, ...identity }: Change): void {
    const [mark, colour] = MARKS[action];
    this.line(`${mark} ${nameOf(identity)}`, colour);
    if (action === "delete") return;
    for (const { field, before, after } of fields)
      this.line(
        action === "create" ? `    ${field}: ${shown(after)}` : `    ${field}: ${shown(before)} → ${shown(after)}`,
      );
  }

  failure(text: string): void {
    this.#output.err(`${text}\n`);
  }

  json(value: unknown): void {
    if (this.#isJson) this.#output.out(`${JSON.stringify(value, null, 2)}\n`);
  }

  #coloured = (text: string, colour: Colour | undefined): string =>
    colour && this.#output.isTerminal ? `\u001b[${COLOURS[colour]}m${text}\u001b[0m` : text;
}

import { canonicalVendor, partsOf } from "./vendors";

/** Version that Bedrock appends. The first version adds nothing, nor does a version after a date. */
const BEDROCK_VERSION = /-v?1:0$|-v1$|(?<=-20\d{6})-v\d+:\d+$/;

/** Snapshot in the name of a Claude model. Each model has one, but the two of Claude 3.5 Sonnet are different models. */
const CLAUDE_SNAPSHOT = /(?<=^claude-(?!3[-.]5-sonnet).*)[-@](?:20\d{6}|latest)$/;

/** Parts of a name that some APIs write and others leave out. */
const WRITTEN_DIFFERENTLY: readonly (readonly [written: RegExp, plain: string])[] = [
  [BEDROCK_VERSION, ""],
  [CLAUDE_SNAPSHOT, ""],
  [/^(claude-(?:opus|sonnet)-4)-0$/, "$1"],
  [/^gpt-35-/, "gpt-3.5-"],
  [/^meta-(?=llama)/, ""],
];

/** Words, numbers and signs other than separators, so that `llama3-1-8b` and `Llama-3.1-8B` have the same ones. */
const WORDS = /[a-z]+|\d+|[^a-z\d\s._@-]/g;

/** Returns a model's common name at all APIs. Snapshots and variants with other names are other models. */
function commonName(name: string): string {
  const { base } = partsOf(name);
  const plain = WRITTEN_DIFFERENTLY.reduce((text, [written, short]) => text.replace(written, short), base);
  return plain.match(WORDS)?.join("-") ?? "";
}

/** Returns the identity of a vendor's model: equal for the same model at different providers. */
export const modelIdentity = (vendor: string, name: string): string => `${canonicalVendor(vendor)} ${commonName(name)}`;

/** Returns the vendor's name for a model, with date and version. */
export const vendorName = (name: string): string => partsOf(name).base;

/** True for a name as Bedrock writes it, such as `us.anthropic.claude-opus-5-v1:0`. */
export const isBedrockName = (name: string): boolean => !name.toLowerCase().split("/").includes(partsOf(name).base);

import { stringify } from "yaml";
import { canonical } from "./canonical-policy";
import type { PolicyFile } from "./contract";

const HEAD = "# The policy of a Signalbox organization: npx signalbox plan <file>, then npx signalbox apply <file>.\n";

/** Writes a file as canonical YAML: equal policies give equal bytes. */
export const toYaml = (file: PolicyFile): string =>
  HEAD + stringify(canonical(file), { lineWidth: 0, aliasDuplicateObjects: false, blockQuote: "literal" });

import { stringify } from "yaml";
import { canonical } from "./canonical";
import type { PolicyFile } from "./contract";

const HEAD =
  "# The policy of a Signalbox organization: node lib/cli/signalbox.mjs plan <file>, then node lib/cli/signalbox.mjs apply <file>.\n";

/** Writes a file as canonical YAML: equal policies give equal bytes. */
export const toYaml = (file: PolicyFile): string =>
  HEAD + stringify(canonical(file), { lineWidth: 0, aliasDuplicateObjects: false, blockQuote: "literal" });

// Prints the imports and files that break the rules of lib/boundaries.mjs.
import { checkImports } from "./imports.mjs";

/** Fewer files mean that the check looked in the wrong place. */
const FEWEST_FILES = 1000;

const { files, imports, problems } = await checkImports(process.cwd());
if (files < FEWEST_FILES) problems.push(`only ${files} source files found, ${FEWEST_FILES} expected`);
for (const problem of problems) process.stdout.write(`  ${problem}\n`);
process.stdout.write(`${files} files, ${imports} imports, ${problems.length} against the rules\n`);
process.exit(problems.length ? 1 : 0);

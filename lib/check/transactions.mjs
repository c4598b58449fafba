// Prints transactions that compute for long, wait, or call another system.
import { checkTransactions } from "./transaction-code.mjs";

/** Fewer transactions mean that the check looked in the wrong place. */
const FEWEST = 100;

const { count, problems } = checkTransactions(process.cwd());
if (count < FEWEST) problems.push(`only ${count} transactions found, ${FEWEST} expected`);
for (const problem of problems) process.stdout.write(`  ${problem}\n`);
if (problems.length > 0)
  process.stdout.write("Others wait for the locks of a transaction: do this before it, or after it.\n");
process.stdout.write(`${count} transactions, ${problems.length} with code that takes long\n`);
process.exit(problems.length ? 1 : 0);

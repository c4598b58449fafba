import { pick } from "./random";

/** Sentences and lines of which documents consist. */
const LINES = {
  thread: [
    "Customer: it worked on Friday, and nobody of us changed a setting since.",
    "Agent: thank you, I can see the job in the queue. Which browser do you use?",
    "Customer: the same error on two computers, with and without the extension.",
    "Agent: our engineers found a report that is larger than the limit.",
    "Customer: we need the numbers for the board meeting on Thursday.",
    "Agent: I will write to you before noon, whatever we know by then.",
    "Customer: could you send the file in parts until then?",
    "Agent: I have started the parts; the first one is in your folder.",
  ],
  diff: [
    "+  const delay = Math.min(BASE_MS * 2 ** attempt, CAP_MS);",
    "-  await sleep(BASE_MS);",
    "+  if (attempt > 0) await sleep(delay);",
    "   for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {",
    "+    const answer = await client.charge(order.id, { timeout: TIMEOUT_MS });",
    "-    const answer = await client.charge(order.id);",
    "     if (answer.status !== 'pending') return answer;",
    "@@ -112,7 +118,9 @@ export async function settle(orders: readonly Order[]) {",
    "+    logger.warn({ order: order.id, attempt }, 'payment is still pending');",
  ],
  log: [
    "09:41:07 WARN  payments  timeout after 5000 ms, attempt 1 of 3",
    "09:41:12 WARN  payments  timeout after 5000 ms, attempt 2 of 3",
    "09:43:58 INFO  queue     depth 3120, workers 8",
    "09:44:30 ERROR queue     depth 5210 is above the limit of 5000",
    "09:52:01 INFO  deploy    payments restarted, timeout 1500 ms",
    "09:58:44 INFO  queue     depth 1204, workers 16",
    "10:07:19 INFO  queue     depth 0, workers 16",
  ],
  contract: [
    "This agreement is concluded between Northwind Freight Ltd and Example Holding AG.",
    "The initial term is twenty-four months and begins on the first day of the following quarter.",
    "Either party may end this agreement with three months' notice to the end of a quarter.",
    "Fees are due within thirty days of the invoice and exclude taxes.",
    "The aggregate liability under this agreement shall not exceed the fees paid in the preceding twelve months.",
    "Subcontractors require prior written consent, which shall not be unreasonably withheld.",
    "Amounts: EUR 12,400.00 for licenses, EUR 1,860.00 for onboarding, EUR 320.00 for travel.",
    "Changes to this agreement require text form.",
  ],
} as const satisfies Record<string, readonly [string, ...string[]]>;

export type DocumentKind = keyof typeof LINES;

/** Number of lines of a document, at least and at most. */
const [FEWEST, MOST] = [8, 44];

/** Returns a document of random length. */
export function documentOf(kind: DocumentKind, random: () => number): string {
  const lines = FEWEST + Math.floor((MOST - FEWEST) * random() ** 2);
  return Array.from({ length: lines }, () => pick(random, LINES[kind])).join("\n");
}

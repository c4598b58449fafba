import { fillLargeInstall } from "../lib/demo/fill-large-install";
import { openPostgres } from "../lib/platform/database/open";
import { startPostgres } from "../lib/testing/postgres";
import { newContext } from "./context";

const [KEYS, GUARDRAILS] = [5_000, 1_000];

/** Starts PostgreSQL and fills an install by SQL, as `npm run seed:large` does. `durable` keeps synchronous writes. */
export async function filledInstall(
  generations: number,
  { durable = false } = {},
): Promise<{ url: string; stop: () => Promise<void> }> {
  const postgres = await startPostgres({ durable });
  try {
    const url = postgres.url("postgres");
    const database = await openPostgres(url);
    await newContext(database.client);
    await database.close();
    const size = { generations, keys: KEYS, guardrails: GUARDRAILS, contents: 1 };
    await fillLargeInstall(url, size, (step) => process.stderr.write(`${step}\n`));
    return { url, stop: postgres.stop };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

// Entry point of the process that prepare-apart.ts starts: bundled separately.
import { StartError } from "../start-error";
import { prepareDatabase } from "./prepare";

/** Result of the process. `error` is the text of a failure. */
export type Prepared = { applied: string[] } | { error: string };

const answer = (prepared: Prepared) => process.send?.(prepared, undefined, {}, () => process.disconnect());

// The server holds the lock of the database.
process.once("disconnect", () => process.exit());
process.once("message", (connectionString: string) => {
  prepareDatabase(connectionString).then(
    (applied) => answer({ applied }),
    (error: unknown) => answer({ error: error instanceof StartError ? error.message : String(error) }),
  );
});

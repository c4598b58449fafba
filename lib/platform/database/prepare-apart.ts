import "server-only";
import { fork } from "node:child_process";
import { once } from "node:events";
import { builtFile } from "../build-folder.mjs";
import { StartError } from "../start-error";
import type { Prepare } from "./prepare";
import type { Prepared } from "./prepare-worker";

/**
 * Prepares a database in a separate process, because a process doesn't release the memory of the compiled migration engine.
 * lib/server/bundle-workers.mjs builds its code.
 */
export const prepareApart: Prepare = async (connectionString) => {
  const path = builtFile("prepare-worker.mjs");
  const child = fork(path, [], { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const answered: { prepared?: Prepared } = {};
  child.once("message", (prepared) => (answered.prepared = prepared as Prepared));
  child.send(connectionString);
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  const { prepared = { error: `The migration of the database ended with ${signal ?? `code ${code}`}` } } = answered;
  if ("error" in prepared) throw new StartError(prepared.error);
  return prepared.applied;
};

import "server-only";
import { parseEnv, variableNames } from "../platform/env";
import { unknownSettings } from "../platform/setting-names";

/** Fails with one line that names every wrong variable, before anything is opened. Returns warnings about unknown variables. */
export function checkSettings(variables: Readonly<Record<string, string | undefined>>): string[] {
  parseEnv(variables);
  return unknownSettings(Object.keys(variables), variableNames());
}

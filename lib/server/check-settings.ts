import "server-only";
import { parseEnv, variableNames } from "../platform/env";
import { unknownSettings } from "../platform/setting-names";

/** Names every wrong variable in one line, before anything is opened; returns warnings about unknown ones. */
export function checkSettings(variables: Readonly<Record<string, string | undefined>>): string[] {
  parseEnv(variables);
  return unknownSettings(Object.keys(variables), variableNames());
}

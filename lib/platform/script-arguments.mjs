// Arguments of the scripts of package.json, and their usage.
import { parseArgs } from "node:util";

/**
 * Options of a script by name.
 * @typedef {Record<string, { type: "string" | "boolean", default?: string | boolean, short?: string }>} Options
 */

/** @param {string} name @param {Options[string]} option */
const shown = (name, { type, default: value }) =>
  type === "boolean"
    ? `[--${name}]`
    : value === undefined
      ? `[--${name} …]`
      : `[--${name} ${JSON.stringify(value).slice(1, -1) || '""'}]`;

/**
 * Parses arguments, or returns the text to print instead and the exit code: 0 for --help, 2 for wrong arguments.
 * @template {Options} O
 * @param {string[]} args
 * @param {string} command the script with its positional arguments
 * @param {{ options?: O, allowPositionals?: boolean, note?: string }} config
 */
export function parseScript(args, command, { options, allowPositionals = false, note }) {
  const all = Object.entries(options ?? {}).map(([name, option]) => shown(name, option));
  const usage = [[`Usage: ${command}`, ...all].join(" "), ...(note ? [note] : [])].join("\n");
  if (args.some((arg) => arg === "--help" || arg === "-h")) return { code: 0, text: usage };
  try {
    return { code: null, usage, ...parseArgs({ args, allowPositionals, options: /** @type {O} */ (options ?? {}) }) };
  } catch (error) {
    return { code: 2, text: `${error instanceof Error ? error.message : String(error)}\n${usage}` };
  }
}

/**
 * Returns the arguments of this process; prints the usage and ends the process instead on --help and on wrong arguments.
 * `fail` does so for arguments that are wrong in another way.
 * @template {Options} O
 * @param {string} command
 * @param {{ options?: O, allowPositionals?: boolean, note?: string }} [config]
 */
export function scriptArguments(command, config = {}) {
  const parsed = parseScript(process.argv.slice(2), command, config);
  if (parsed.code === null)
    return {
      values: parsed.values,
      positionals: parsed.positionals,
      fail: (/** @type {string} */ message) => end(2, `${message}\n${parsed.usage}`),
    };
  return end(parsed.code, parsed.text);
}

/** @param {number} code @param {string} text @returns {never} */
function end(code, text) {
  (code === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  process.exit(code);
}

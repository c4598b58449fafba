// Processes that lib/server/start.mjs starts and waits for. They end with it, and it ends with its parent.
import { spawn } from "node:child_process";

const PARENT_CHECK_MS = 1000;
const SIGNALS = /** @type {const} */ (["SIGTERM", "SIGINT", "SIGHUP"]);

/**
 * Runs Node.js until it ends and returns the exit code, null after a signal. A signal that ends this process ends that process, too.
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} options
 * @param {(child: import("node:child_process").ChildProcess) => void} [started]
 * @returns {Promise<number | null>}
 */
export function runNode(args, options, started) {
  const child = spawn(process.execPath, args, options);
  /** @param {NodeJS.Signals} signal */
  const pass = (signal) => {
    child.kill("SIGTERM");
    stopPassing();
    process.kill(process.pid, signal);
  };
  const stopPassing = () => SIGNALS.forEach((signal) => process.off(signal, pass));
  for (const signal of SIGNALS) process.on(signal, pass);
  started?.(child);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      stopPassing();
      resolve(code);
    });
  });
}

/**
 * Ends this process like SIGTERM once its parent has ended: npm, which passes a signal only to its shell, or the process that builds
 * before it serves.
 * @param {Readonly<Record<string, string | undefined>>} variables
 */
export function endWithParent(variables) {
  const end = () => process.kill(process.pid, "SIGTERM");
  if (process.channel) process.once("disconnect", end).channel?.unref();
  if (variables["npm_package_name"] !== "signalbox" || variables["npm_lifecycle_event"] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, PARENT_CHECK_MS).unref();
}

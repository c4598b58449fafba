import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ROOT } from "./server";

export interface RealEngine {
  /** Base URL of its OpenAI-compatible API: `POST /chat/completions`. */
  baseUrl: string;
  stop: () => Promise<void>;
}

/** Starts a language-model engine on loopback; takes about two seconds. */
export async function startRealEngine(): Promise<RealEngine> {
  const child = spawn(process.execPath, ["--import", "tsx", join(ROOT, "e2e/real-engine-process.ts")], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const killAtExit = () => child.kill("SIGKILL");
  process.once("exit", killAtExit);
  const ended = once(child, "exit").finally(() => process.off("exit", killAtExit));
  const stop = async () => {
    child.kill();
    await ended;
  };
  const failure = ended.then(([code]) => {
    throw new Error(`the engine ended early with ${String(code)}`);
  });
  const [baseUrl] = (await Promise.race([once(createInterface(child.stdout), "line"), failure])) as [string];
  failure.catch(() => undefined);
  return { baseUrl, stop };
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";

const STEP = JSON.stringify(new URL("step.mjs", import.meta.url).href);
const FOREVER = "setInterval(() => {}, 1000);";
/** Starts a process that prints its id and the ids of its children, one a line. */
function start(code: string, variables: Record<string, string> = {}) {
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
    env: { NODE_ENV: "test", ...variables },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return { child, ended: once(child, "exit") };
}
const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
async function firstNumber(stream: NodeJS.ReadableStream): Promise<number> {
  const [line] = (await once(stream, "data")) as [Buffer];
  return Number(line.toString());
}

it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "%s ends a step with the process that waits for it",
  async (signal) => {
    const { child, ended } = start(`
    import { runNode } from ${STEP};
    await runNode(["-e", ${JSON.stringify(FOREVER)}], { stdio: "ignore" }, ({ pid }) => console.log(pid));`);
    const step = await firstNumber(child.stdout);
    child.kill(signal);
    expect(await ended).toEqual([null, signal]);
    await expect.poll(() => isRunning(step)).toBe(false);
  },
);

it("returns the exit code of a step, and leaves later signals alone", async () => {
  const { child, ended } = start(`
    import { runNode } from ${STEP};
    console.log(await runNode(["-e", "process.exit(7)"], { stdio: "ignore" }));
    process.exitCode = process.listenerCount("SIGTERM");`);
  expect(await firstNumber(child.stdout)).toBe(7);
  expect(await ended).toEqual([0, null]);
});

it("a process started by npm ends with the shell that npm has ended", async () => {
  const own = `import { endWithParent } from ${STEP}; endWithParent(process.env); console.log(process.pid); ${FOREVER}`;
  const { child, ended } = start(
    `import { spawn } from "node:child_process";
    spawn(process.execPath, ["--input-type=module", "-e", ${JSON.stringify(own)}], { stdio: ["ignore", "inherit", "ignore"] });
    ${FOREVER}`,
    { npm_package_name: "signalbox", npm_lifecycle_event: "start" },
  );
  const grandchild = await firstNumber(child.stdout);
  child.kill("SIGKILL");
  await ended;
  await expect.poll(() => isRunning(grandchild)).toBe(false);
});

it("a build ends with the process that waits for it", async () => {
  const own = `import { endWithParent } from ${STEP}; endWithParent(process.env); console.log(process.pid); ${FOREVER}`;
  const { child, ended } = start(`
    import { runNode } from ${STEP};
    await runNode(["--input-type=module", "-e", ${JSON.stringify(own)}], { stdio: ["ignore", "inherit", "ignore", "ipc"] });`);
  const build = await firstNumber(child.stdout);
  child.kill("SIGKILL");
  await ended;
  await expect.poll(() => isRunning(build)).toBe(false);
});

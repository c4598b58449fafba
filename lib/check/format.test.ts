// The format check fails on a file that the formatter would write differently.
import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const formatter = resolve("node_modules/.bin/oxfmt");
const call = `call(${"argument, ".repeat(10)}argument);\n`;

test.each([
  ["within 120 columns", `${call}const a = 1;\n`, true],
  ["longer than 120 columns", `call("${"a".repeat(60)}", "${"b".repeat(60)}");\n`, false],
  ["without semicolons", "const a = 1\n", false],
  ["indented by four spaces", "if (a) {\n    b();\n}\n", false],
])("a file %s", async (_, text, isFormatted) => {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-format-"));
  try {
    await cp(".oxfmtrc.json", join(folder, ".oxfmtrc.json"));
    await writeFile(join(folder, "file.ts"), text);
    const run = promisify(execFile)(process.execPath, [formatter, "--check", "."], { cwd: folder });
    await (isFormatted
      ? run
      : expect(run).rejects.toMatchObject({ stdout: expect.stringContaining("file.ts") as string }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { arch, platform } from "node:process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Installs the newest Node.js of a release line from the npm registry below node_modules/.cache, and returns its path. @param {string} version */
export function nodeBinary(version) {
  const name = `node-${platform === "win32" ? "win" : platform}-${arch}`;
  const folder = join(root, "node_modules/.cache/node", version);
  mkdirSync(folder, { recursive: true });
  const args = ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", folder, `${name}@${version}`];
  const { status } = spawnSync("npm", args, { cwd: root, stdio: "inherit", shell: platform === "win32" });
  if (status !== 0) throw new Error(`${name}@${version} can't be installed`);
  return join(folder, "node_modules", name, "bin", platform === "win32" ? "node.exe" : "node");
}

import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKey } from "../../lib/records/keys/contract";
import { createApi } from "../api-client";
import { expect, test } from "../own-server";
import { MANAGEMENT_KEY } from "../server";

const MEGABYTE = 1024 * 1024;
const SIZE = 160 * MEGABYTE;

test("on a full disk of the embedded database requests get a named error, and go on when there is space", async ({
  own,
}) => {
  const disk = mkdtempSync(join(tmpdir(), "signalbox-disk-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE},mode=700`, "tmpfs", disk]);
  test.skip(mounted.status !== 0, "no small file system can be mounted");
  const data = join(disk, "data");
  const filler = join(disk, "filler");
  try {
    cpSync(own.variables["SIGNALBOX_DATA_DIR"] ?? "", data, { recursive: true });
    const server = await own.start({ SIGNALBOX_DATA_DIR: data });
    const { key } = await createApi(server.url, MANAGEMENT_KEY).call(createKey, { body: { name: "Caller" } });
    const readyz = () => fetch(`${server.url}/readyz`).then(({ status }) => status);
    /** Returns the status, or the reason of the error. */
    const ask = async () => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      // Random, so that it takes space.
      const content = Array.from({ length: 2_000 }, () => Math.random().toString(36)).join(" ");
      const body = JSON.stringify({ model: "sandbox/echo", messages: [{ role: "user", content }] });
      const answer = await fetch(`${server.url}/v1/chat/completions`, { method: "POST", headers, body });
      const { error } = (await answer.json()) as { error?: { metadata?: { reason?: string } } };
      return error?.metadata?.reason ?? answer.status;
    };
    expect(await ask()).toBe(200);

    spawnSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=1M"]);
    const reasons = new Set<unknown>();
    await expect
      .poll(async () => {
        reasons.add(await ask());
        return [reasons.has("store_full") || reasons.has("store_unreachable"), await readyz()];
      })
      .toEqual([true, 503]);
    expect(
      [...reasons].filter((reason) => !["store_full", "store_unreachable", 200].includes(reason as string)),
    ).toEqual([]);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);

    rmSync(filler);
    await expect.poll(ask).toBe(200);
    await expect.poll(readyz).toBe(200);
    await server.stop();
  } finally {
    execFileSync("umount", ["--lazy", disk]);
    rmSync(disk, { recursive: true, force: true });
  }
});

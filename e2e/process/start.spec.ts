import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { listGuardrails } from "../../lib/records/guardrails/contract";
import { createApi } from "../api-client";
import { expect, test } from "../own-server";
import { launchServer } from "../server";

test.use({ isFirstStart: true });

test("a fresh start prints credentials once, and its secret is readable only by its owner; a second start prints none @journey", async ({
  own,
}) => {
  const generate = { SIGNALBOX_ADMIN_PASSWORD: "", SIGNALBOX_MANAGEMENT_KEY: "" };
  const first = await own.start(generate);
  const key = /sb-mgmt-v1-[0-9A-Za-z]{48}/.exec(first.output())?.[0];
  const password = /Admin password\s+(\S+)/.exec(first.output())?.[1];
  if (!key || !password) throw new Error(`no credentials in:\n${first.output()}`);
  const secret = join(own.variables["SIGNALBOX_DATA_DIR"] ?? "", "secret-key");
  expect(statSync(secret).mode & 0o777).toBe(0o600);
  expect(Buffer.from(readFileSync(secret, "utf8"), "base64")).toHaveLength(32);
  await createApi(first.url, key).call(listGuardrails);
  await first.stop();
  const second = await own.start(generate);
  expect(second.output()).not.toMatch(/sb-mgmt-v1-|Admin password/);
  await createApi(second.url, key).call(listGuardrails);
});

test("a start with another secret key, or without the generated one, is refused on existing data and says so", async ({
  own,
}) => {
  const [right, wrong] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64"));
  const first = await own.start({ SIGNALBOX_SECRET_KEY: right ?? "" });
  await first.stop();
  const refused = async (more: Record<string, string>) => {
    const server = await launchServer({ name: `${own.name}-key`, variables: { ...own.variables, ...more } });
    expect(await server.ended).toBe(1);
    return server.output();
  };
  expect(await refused({ SIGNALBOX_SECRET_KEY: wrong ?? "" })).toContain(
    "Signalbox could not start: SIGNALBOX_SECRET_KEY isn't the key of this database",
  );
  expect(await refused({})).toMatch(/Signalbox could not start: The secret key \S+ is missing/);
  const rotating = { SIGNALBOX_SECRET_KEY: wrong ?? "", SIGNALBOX_PREVIOUS_SECRET_KEYS: right ?? "" };
  const rotated = await own.start(rotating);
  await expect.poll(() => rotated.output()).toContain("stored secrets are encrypted with SIGNALBOX_SECRET_KEY");
  await rotated.stop();
  await own.start({ SIGNALBOX_SECRET_KEY: wrong ?? "" });
});

test("a port in use ends the first start with one line, before credentials are created; the next start prints them", async ({
  own,
}) => {
  const generate = { SIGNALBOX_ADMIN_PASSWORD: "", SIGNALBOX_MANAGEMENT_KEY: "" };
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const server = await launchServer({ name: `${own.name}-port`, variables: { ...own.variables, ...generate }, port });
  expect(await server.ended).toBe(1);
  other.close();
  expect(server.output()).toContain(`Signalbox could not start: PORT ${port} of 127.0.0.1 is in use`);
  expect(server.output()).not.toContain("Admin password");
  const second = await own.start(generate);
  expect(second.output()).toMatch(/Admin password\s+\S+/);
});

test("an unknown setting is named in a warning with the nearest one", async ({ own }) => {
  const { output } = await own.start({ SIGNALBOX_WROKERS: "4" });
  expect(output()).toContain("SIGNALBOX_WROKERS isn't a setting and is ignored. The nearest name is SIGNALBOX_WORKERS");
});

const wrong: readonly [name: string, value: string][] = [
  ["SIGNALBOX_MANAGEMENT_KEY", "too short"],
  ["SIGNALBOX_RATE_LIMIT_PER_MINUTE", "-1"],
  ["SIGNALBOX_PUBLIC_URL", "foo"],
  ["HOSTNAME", "999.1.1.1"],
];
for (const [name, value] of wrong) {
  test(`${name}=${value} aborts the start with one line that names it`, async ({ own }) => {
    const server = await launchServer({ name: `${own.name}-${name}`, variables: { ...own.variables, [name]: value } });
    expect(await server.ended).toBe(1);
    const lines = server
      .output()
      .split("\n")
      .filter((line) => line.startsWith("Signalbox could not start"));
    expect(lines, server.output()).toEqual([expect.stringContaining(name)]);
    expect(server.output()).not.toMatch(/^\s+at /m);
  });
}

test("DATABASE_URL without SIGNALBOX_SECRET_KEY reports the missing variable", async ({ own }) => {
  const server = await launchServer({
    name: `${own.name}-secret`,
    variables: { ...own.variables, DATABASE_URL: "postgresql://127.0.0.1:1/none" },
  });
  expect(await server.ended).toBe(1);
  expect(server.output()).toContain("SIGNALBOX_SECRET_KEY is required with DATABASE_URL");
});

test("an unreachable PostgreSQL aborts the start with one line", async ({ own }) => {
  const unreachable = {
    DATABASE_URL: "postgresql://127.0.0.1:1/none",
    SIGNALBOX_SECRET_KEY: Buffer.alloc(32, 1).toString("base64"),
  };
  const server = await launchServer({
    name: `${own.name}-unreachable`,
    variables: { ...own.variables, ...unreachable },
  });
  expect(await server.ended).toBe(1);
  expect(server.output()).toMatch(/^Signalbox could not start: .+$/m);
  expect(server.output()).not.toMatch(/^\s+at /m);
});

import { randomBytes } from "node:crypto";
import { startPostgres } from "../../lib/testing/postgres";
import { createApi } from "../api-client";
import { expect, test } from "../own-server";
import { signalbox } from "../policy-install";
import { tellPolicyStory } from "../policy-story";
import { MANAGEMENT_KEY } from "../server";
import packageJson from "../../package.json" with { type: "json" };

test("a policy moves from an install to an empty one on PostgreSQL and back, byte for byte", async ({ own }) => {
  // It starts the command-line tool many times.
  test.slow();
  const postgres = await startPostgres();
  try {
    const [full, empty] = [
      await own.start(),
      await own.start({
        DATABASE_URL: postgres.url("postgres"),
        SIGNALBOX_SECRET_KEY: randomBytes(32).toString("base64"),
      }),
    ];
    const installOf = (url: string) => ({
      api: createApi(url, MANAGEMENT_KEY),
      key: MANAGEMENT_KEY,
      email: "ada@example.com",
    });
    await tellPolicyStory(installOf(full.url), installOf(empty.url));
  } finally {
    await postgres.stop();
  }
});

test("without a server, key or file it prints a one-line error", async () => {
  const nowhere = { api: createApi("http://127.0.0.1:9", ""), key: MANAGEMENT_KEY };
  expect(await signalbox(nowhere, ["export"])).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringMatching(/^Could not connect to http:\/\/127\.0\.0\.1:9: .+\n$/),
  });
  expect(await signalbox(nowhere, ["export"], { SIGNALBOX_API_KEY: "" })).toMatchObject({
    code: 1,
    err: expect.stringContaining("SIGNALBOX_API_KEY is not set"),
  });
  expect(await signalbox(nowhere, ["plan", "/nowhere.yaml"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("/nowhere.yaml: "),
  });
  const inJson = await signalbox(nowhere, ["plan", "/nowhere.yaml", "--json"]);
  expect(inJson.code).toBe(1);
  expect(JSON.parse(inJson.out)).toEqual({ error: { message: expect.stringContaining("/nowhere.yaml: ") } });
  expect(await signalbox(nowhere, ["--version"])).toMatchObject({ code: 0, out: `${packageJson.version}\n` });
  expect(await signalbox(nowhere, ["undo"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("Unknown command: undo"),
  });
});

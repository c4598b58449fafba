import { readFile } from "node:fs/promises";
import { createGuardrail } from "../../lib/records/guardrails/contract";
import { signalbox, withFolder } from "../policy-install";
import { MANAGEMENT_KEY } from "../server";
import { unique } from "../world";
import { expect, test } from "./console-test";

test("the policy is downloaded as a file; changes applied from a file are marked in the audit log", async ({
  page,
  api,
}) => {
  const name = unique("As code");
  await api.call(createGuardrail, { body: { name, limit_usd: 5, reset_interval: "daily" } });
  await page.goto("/settings");
  await page.getByRole("tab", { name: "Policy as code" }).click();
  await expect(page.getByRole("group", { name: "Commands" })).toContainText(
    "node lib/cli/signalbox.mjs apply policy.yaml",
  );
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download YAML" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^signalbox-policy-.*\.yaml$/);
  const yaml = await readFile(await download.path(), "utf8");
  expect(yaml).toContain(`      - name: ${name}\n        limit_usd: 5\n        reset_interval: daily\n`);

  const install = { api, key: MANAGEMENT_KEY };
  const file = `version: 1\nworkspaces:\n${yaml.slice(yaml.indexOf("  - slug: default\n")).split(/\n(?= {4}\w+:\n)/)[0] ?? ""}\n    guardrails:\n      - name: ${name}\n        limit_usd: 6\n        reset_interval: daily\n`;
  await withFolder(async ({ write }) => {
    const applied = await signalbox(install, ["apply", "--allow-weaker", write("policy.yaml", file)]);
    expect(applied.code, applied.err).toBe(0);
    expect(applied.out).toContain(`~ guardrail “${name}” (workspace default)\n    limit_usd: 5 → 6\n`);
  });
  await page.goto("/audit");
  const row = page.getByRole("row").filter({ hasText: name }).first();
  await expect(row).toContainText("Policy file");
  await row.getByRole("button").click();
  await expect(page.getByRole("dialog")).toContainText("Policy file");
});

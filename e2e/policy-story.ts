import { expect } from "@playwright/test";
import { createAlert, listAlerts, updateAlert } from "../lib/features/alerts/contract";
import { listAuditEvents } from "../lib/platform/audit/contract";
import { createGuardrail, listGuardrails, updateGuardrail } from "../lib/records/guardrails/contract";
import { setPresetLabel } from "../lib/records/presets/labels-contract";
import { createPeople, fillInstall, SECRETS, signalbox, withFolder, type Install } from "./policy-install";

interface PlanAnswer {
  changes: { kind: string; name: string; action: string; fields: { field: string }[] }[];
  extra: { kind: string; name: string }[];
}

const lastChange = async ({ api }: Install) =>
  (await api.call(listAuditEvents, { query: { limit: "1" } })).data[0]?.id ?? "none";

/**
 * Tests that exporting, applying to an empty installation, and exporting again gives identical bytes. Then covers
 * drift, failures and tests.
 */
export async function tellPolicyStory(full: Install, empty: Install): Promise<void> {
  await fillInstall(full, await createPeople(full));
  await createPeople(empty);
  await withFolder(async ({ write }) => {
    const exported = await signalbox(full, ["export"]);
    expect(exported, exported.err).toMatchObject({ code: 0, err: "" });
    expect(exported.out).not.toMatch(/very-secret/);
    const policy = exported.out.replaceAll(full.email, empty.email);
    const path = write("policy.yaml", policy);

    const unset = await signalbox(empty, ["apply", path]);
    expect(unset).toMatchObject({ code: 1, out: "" });
    expect(unset.err).toContain("ACME_API_KEY");
    const before = await lastChange(empty);

    const planned = await signalbox(empty, ["plan", path, "--json"], SECRETS);
    expect(planned.code, planned.err).toBe(2);
    expect(await lastChange(empty), "a plan changes nothing").toBe(before);
    const made = await signalbox(empty, ["apply", path], SECRETS);
    expect(made.code, made.out + made.err).toBe(0);
    expect(made.out).not.toContain("\u001b");
    expect((await signalbox(empty, ["export"])).out).toBe(policy);
    expect((await empty.api.call(listAuditEvents, { query: { limit: "1" } })).data[0]?.request_id).toMatch(/^apply-/);

    const events = await lastChange(empty);
    expect(await signalbox(empty, ["apply", path], SECRETS)).toMatchObject({ code: 0, out: "No changes.\n" });
    expect(await signalbox(empty, ["plan", path, "--prune"])).toMatchObject({ code: 0 });
    expect(await lastChange(empty), "a second apply changes nothing").toBe(events);
    await expectDriftFound(empty, path);
    expect((await signalbox(empty, ["export"])).out).toBe(policy);

    const replaced = policy.replace("kind: budget", "kind: latency_p95");
    expect((await signalbox(empty, ["apply", write("replaced.yaml", replaced)])).code).toBe(0);
    expect((await signalbox(empty, ["export"])).out).toBe(replaced);
    expect((await signalbox(empty, ["apply", path])).code).toBe(0);

    const broken = write(
      "broken.yaml",
      policy.replace("PROJ-[0-9]{4}", "(?=PROJ)").replace("name: Lab", "name: Laboratory"),
    );
    const stopped = await signalbox(empty, ["apply", broken, "--json", "--no-tests", "--allow-weaker"]);
    expect(stopped.code).toBe(1);
    expect(stopped.err).toContain("guardrail “Production”");
    expect(stopped.err).toContain("Nothing was applied: the changes before it were undone.");
    expect(JSON.parse(stopped.out)).toMatchObject({
      done: [],
      failed: { kind: "guardrail", name: "Production" },
      not_undone: [],
    });
    expect((await signalbox(empty, ["export"])).out).toBe(policy);

    expect(await signalbox(empty, ["test", path])).toMatchObject({
      code: 0,
      out: "✓ Production: No address leaves\n1 passed, 0 failed.\n",
    });
    const failing = write("failing.yaml", policy.replace("slug: email", "slug: phone"));
    expect(await signalbox(empty, ["test", failing])).toMatchObject({
      code: 1,
      out: expect.stringContaining("expected redacted, was allowed"),
    });
    const refused = await signalbox(empty, ["apply", failing, "--json", "--allow-weaker"]);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining("Nothing was applied: 1 test of the file failed"),
    });
    expect(JSON.parse(refused.out)).toMatchObject({
      done: [],
      failed_tests: [{ guardrail: "Production", test: "No address leaves" }],
      not_done: [{ kind: "guardrail", name: "Production" }],
    });
    expect((await signalbox(empty, ["export"])).out).toBe(policy);
  });
}

/**
 * Tests that after manual changes to a guardrail and a label and a new guardrail, the plan lists exactly these, and
 * apply reverts them.
 */
async function expectDriftFound(install: Install, path: string): Promise<void> {
  const { api } = install;
  const { data } = await api.call(listGuardrails);
  const twin = data.findLast(({ name }) => name === "Twin");
  await api.call(updateGuardrail, { params: { id: twin?.id ?? "" }, body: { limit_usd: 7, reset_interval: "daily" } });
  await api.call(setPresetLabel, { params: { slug: "support", label: "prod" }, body: { version: 1 } });
  await api.call(createGuardrail, { body: { name: "Somebody’s own" } });
  const rule = (await api.call(listAlerts)).data.find(({ name }) => name === "Budgets");
  await api.call(updateAlert, { params: { id: rule?.id ?? "" }, body: { threshold: 70, workspace_id: null } });
  await api.call(createAlert, { body: { name: "Somebody’s alert", kind: "budget", threshold: 50 } });
  const planOf = async (...options: string[]) => {
    const { code, out, err } = await signalbox(install, ["plan", path, "--json", "--no-impact", ...options]);
    expect(err).toBe("");
    const { changes, extra } = JSON.parse(out) as PlanAnswer;
    return {
      code,
      changes: changes.map(({ kind, name, action, fields }) => [
        action,
        kind,
        name,
        ...fields.map(({ field }) => field).sort(),
      ]),
      extra: extra.map(({ name }) => name).sort(),
    };
  };
  const drift = [
    ["update", "guardrail", "Twin", "limit_usd", "reset_interval"],
    ["update", "preset", "support", "label prod"],
    ["update", "alert", "Budgets", "threshold"],
  ];
  const extra = ["Somebody’s alert", "Somebody’s own"];
  expect(await planOf()).toEqual({ code: 2, changes: drift, extra });
  expect(await planOf("--prune")).toEqual({
    code: 2,
    changes: [
      ...drift,
      ["delete", "alert", "Somebody’s alert", "kind", "threshold"],
      ["delete", "guardrail", "Somebody’s own"],
    ],
    extra: [],
  });
  const kept = await signalbox(install, ["apply", path, "--allow-weaker"]);
  expect(kept.code, kept.err).toBe(0);
  expect(await planOf()).toEqual({ code: 0, changes: [], extra });
  expect((await planOf("--detect-drift")).code).toBe(2);
  const pruned = await signalbox(install, ["apply", path, "--prune", "--allow-weaker"]);
  expect(pruned.code, pruned.err).toBe(0);
}

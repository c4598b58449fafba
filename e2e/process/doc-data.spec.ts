import { readdirSync, readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";
import { CheckResponse, CheckRequest } from "../../lib/engine/checks/wire-contract";
import { listPolicyTests, createPolicyTest } from "../../lib/features/policy-tests/contract";
import { createChatCompletion } from "../../lib/gateway/contract";
import { createGuardrail } from "../../lib/records/guardrails/contract";
import { createKey } from "../../lib/records/keys/contract";
import { createModel } from "../../lib/records/models/contract";
import { exchangeToken } from "../../lib/records/workload-identities/token-contract";
import { createWebhook } from "../../lib/records/webhooks/contract";
import { createApi } from "../api-client";
import { expect, test } from "../own-server";
import { createPeople, signalbox, withFolder } from "../policy-install";
import { MANAGEMENT_KEY } from "../server";
import { startReceiver } from "../webhook-receiver";

/** Blocks of code in a document, in order. */
const blocks = (document: string, language: string): string[] =>
  [
    ...readFileSync(`docs/${document}.md`, "utf8").matchAll(
      new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"),
    ),
  ].map(([, text = ""]) => text);
const data = (document: string): unknown[] => blocks(document, "json").map((text) => JSON.parse(text) as unknown);

/** Returns the names of a value's fields, including nested ones; lists by their first element. */
function fieldsOf(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.length > 0 ? fieldsOf(value[0], `${path}[]`) : [path];
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([name, field]) => fieldsOf(field, `${path}.${name}`));
}

test("every document with data is compared with what the server sends", () => {
  const documents = readdirSync("docs").filter((name) => name.endsWith(".md"));
  const withData = documents.filter((name) => blocks(name.slice(0, -3), "(?:json|yaml|js)").length > 0);
  expect(withData.sort()).toEqual([
    "budgets.md",
    "external-checks.md",
    "observability.md",
    "policy-as-code.md",
    "policy-tests.md",
    "semantics.md",
    "webhooks.md",
    "workload-identities.md",
  ]);
});

test("the response to an exchanged token follows its contract", () => {
  const [response] = data("workload-identities");
  exchangeToken.result.strict().parse(response);
});

test("the bodies of external checks in the documents follow their contract", () => {
  const [request, ...answers] = data("external-checks");
  CheckRequest.strict().parse(request);
  expect(answers).toHaveLength(3);
  for (const answer of answers) CheckResponse.parse(answer);
});

test("responses, events and log lines in the documents have the fields that the server sends", async ({ own }) => {
  const receiver = await startReceiver();
  try {
    const server = await own.start({ SIGNALBOX_ACCESS_LOG: "true", SIGNALBOX_ALLOW_PRIVATE_UPSTREAMS: "true" });
    const api = createApi(server.url, MANAGEMENT_KEY);

    await test.step("errors", async () => {
      const answer = await api.send(createGuardrail, { body: {} as { name: string } });
      expect(fieldsOf(await answer.json())).toEqual(fieldsOf(data("semantics")[0]));
    });

    await test.step("policy tests", async () => {
      const { data: guardrail } = await api.call(createGuardrail, {
        body: { name: "Production", content_filter_builtins: [{ slug: "email", action: "redact" }] },
      });
      const params = { id: guardrail.id };
      const body = {
        name: "Email addresses are redacted",
        request: { model: "sandbox/echo", input: "Write to ada@example.com" },
        expected: { outcome: "redacted", field: "content_filter_builtins", rule: "email" },
      } as const;
      await api.call(createPolicyTest, { params, body });
      const answer = await api.send(listPolicyTests, { params });
      expect(fieldsOf(await answer.json()).sort()).toEqual(fieldsOf(data("policy-tests")[0]).sort());
    });

    await test.step("an event, verified as the document does, and the access log", async () => {
      const { secret } = await api.call(createWebhook, {
        body: { url: receiver.url, events: ["budget.threshold_reached"] },
      });
      const price = { prompt: "10", completion: "10" };
      await api.call(createModel, {
        body: { slug: "sandbox/priced", endpoints: [{ provider: "sandbox", upstream_model: "sandbox/echo", price }] },
      });
      const { key, data: created } = await api.call(createKey, { body: { name: "Spender" } });
      const { data: budget } = await api.call(createGuardrail, {
        body: { name: "Budget", limit_usd: 0.002, reset_interval: "daily" },
      });
      await fetch(`${server.url}/v1/guardrails/${budget.id}/assignments/keys`, {
        method: "POST",
        headers: { authorization: `Bearer ${MANAGEMENT_KEY}`, "content-type": "application/json" },
        body: JSON.stringify({ key_hashes: [created.hash] }),
      });
      await expect
        .poll(
          async () => {
            const messages = [{ role: "user" as const, content: "Hello to everybody in the whole wide world" }];
            await api
              .as(key)
              .send(createChatCompletion, { body: { model: "sandbox/priced", messages, max_tokens: 16 } });
            return receiver.received.length;
          },
          { intervals: [500], timeout: 120_000 },
        )
        .toBeGreaterThan(0);

      const { headers, body: rawBody } = receiver.received[0] ?? { headers: {}, body: "" };
      const [example = ""] = blocks("webhooks", "js");
      expect(example).toContain("new Webhook(process.env.SECRET).verify(rawBody, headers)");
      const event = new Webhook(secret).verify(rawBody, headers as Record<string, string>);
      // The document shows the most important fields.
      expect(fieldsOf(event)).toEqual(
        expect.arrayContaining(fieldsOf(data("budgets")[0]).filter((field) => !field.includes(".forecast"))),
      );

      const line = server
        .output()
        .split("\n")
        .find((text) => text.includes('"route":"/v1/chat/completions"'));
      expect(fieldsOf(JSON.parse(line ?? "null")).sort()).toEqual(fieldsOf(data("observability")[0]).sort());
    });
  } finally {
    receiver.stop();
  }
});

test("the policy file of the documents is applied, passes its own tests, and then equals the server's policy", async ({
  own,
}) => {
  const { url } = await own.start({
    SIGNALBOX_SMTP_URL: "smtp://127.0.0.1:9",
    SIGNALBOX_SMTP_FROM: "signalbox@example.com",
  });
  const install = { api: createApi(url, MANAGEMENT_KEY), key: MANAGEMENT_KEY, email: "ada@example.com" };
  await createPeople(install);
  const secrets = {
    OPENAI_API_KEY: "sk-example",
    ALERT_ERRORS_IN_PRODUCTION_SLACK_URL: "https://hooks.slack.com/services/example",
  };
  await withFolder(async ({ write }) => {
    const [example = ""] = blocks("policy-as-code", "yaml");
    const policy = write("policy.yaml", example);
    for (const args of [
      ["apply", policy],
      ["test", policy],
      ["plan", policy],
    ]) {
      const { code, out, err } = await signalbox(install, args, secrets);
      expect(code, `${args[0]}\n${out}\n${err}`).toBe(0);
    }
  });
});

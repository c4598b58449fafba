import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkTransactions } from "./transaction-code.mjs";

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), "transaction-code-"))));
afterEach(() => rmSync(root, { recursive: true }));

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const service = (text: string) => write("lib/records/keys/service.ts", text);
const OPEN = `import { inTransaction } from "../../platform/database/transaction";\n`;

describe("the code of a transaction", () => {
  it.each([
    ["calls another system", `await fetch(url);`, "fetch"],
    ["waits", `await new Promise((done) => setTimeout(done, 10));`, "setTimeout"],
    ["hashes a password", `await hashPassword(text);`, "@node-rs/argon2 hash"],
    ["uses a client", `await send(text);`, "lib/records/keys/smtp-client.ts send"],
    ["uses a client by a namespace", `await smtp.send(text);`, "lib/records/keys/smtp-client.ts send"],
    ["passes a client on", `await Promise.all(texts.map(send));`, "lib/records/keys/smtp-client.ts send"],
    ["scans through other files", `await evaluate(text);`, "lib/gateway/filters/scan-service.ts runScan"],
    ["has a function that scans", `await own(text);`, "lib/gateway/filters/scan-service.ts runScan"],
  ])("is reported if it %s", (_, statement, reached) => {
    write(
      "lib/records/members/password.ts",
      `import { hash } from "@node-rs/argon2";\nexport const hashPassword = (t) => hash(t);`,
    );
    write("lib/records/keys/smtp-client.ts", `export const send = (t) => t;`);
    write("lib/gateway/filters/scan-service.ts", `export const runScan = (t) => t;`);
    write(
      "lib/features/lint/service.ts",
      `import { runScan as run } from "../../gateway/filters/scan-service";\nexport async function evaluate(t) { return run(t); }`,
    );
    service(`${OPEN}import { hashPassword } from "../members/password";
import { send } from "./smtp-client";
import * as smtp from "./smtp-client";
import { evaluate } from "@/lib/features/lint/service";
async function own(t) { return evaluate(t); }
export const create = (context) => inTransaction(context.db, async (db) => { ${statement} });`);
    const { count, problems } = checkTransactions(root);
    expect(count).toBe(1);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^lib\/records\/keys\/service\.ts:7\n/);
    expect(problems[0]?.split("→ ").at(-1)).toBe(reached);
  });

  it("may use stores and pure code; slow work runs before it", () => {
    write("lib/records/keys/smtp-client.ts", `export const send = (t) => t;\nexport interface Sent { text: string }`);
    write("lib/records/keys/store.ts", `export const find = (db, id) => db.key.findFirst({ where: { id } });`);
    service(`${OPEN}import { find } from "./store";
import { send, type Sent } from "./smtp-client";
export async function create(context, fetch: Sent) {
  const sent = await send(context);
  return inTransaction(context.db, async (db) => find(db, fetch.text, { fetch: sent, send: (db as Sent).text }));
}`);
    expect(checkTransactions(root)).toEqual({ count: 1, problems: [] });
  });

  it("includes services of idempotent operations, except what they prepare", () => {
    write(
      "lib/records/keys/contract.ts",
      `export const createKey = operation({ id: "createKey", idempotent: true });\nexport const getKey = operation({ id: "getKey" });`,
    );
    write("lib/records/keys/smtp-client.ts", `export const send = (t) => t;`);
    write(
      "app/v1/keys/route.ts",
      `import * as keys from "@/lib/records/keys/service";
import { createKey, getKey } from "@/lib/records/keys/contract";
export const POST = handle(createKey, keys.create);
export const GET = handle(getKey, keys.get);`,
    );
    service(`import { send } from "./smtp-client";
export const get = () => send();
export const create = prepared(async () => send(), async () => 1);`);
    expect(checkTransactions(root)).toEqual({ count: 1, problems: [] });
    service(`import { send } from "./smtp-client";
export const create = prepared(async () => 1, async () => send());`);
    expect(checkTransactions(root).problems).toEqual([
      "app/v1/keys/route.ts (idempotent)\n    → lib/records/keys/service.ts create\n    → lib/records/keys/smtp-client.ts send",
    ]);
  });
});

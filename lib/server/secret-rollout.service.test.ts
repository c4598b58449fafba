import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../platform/context";
import type { Database } from "../platform/database/transaction";
import { resealAnswers, runOnce } from "../platform/http/idempotency-store";
import { assertReadable } from "../platform/secret-rollout/readable-store";
import { forgetInstance, reportInstance } from "../platform/secret-rollout/store";
import { secretKeyId } from "../platform/secrets";
import { openCredentials } from "../records/providers/credential-rows";
import { resealCredentials } from "../records/providers/rotation-store";
import * as providers from "../records/providers/service";
import { TEST_SETTINGS } from "../testing/context";
import { testDatabase, testWorld, type World } from "../testing/test-context";

const OLD = TEST_SETTINGS.secretKey;
const NEW = Buffer.alloc(32, 9);

/** A process with its own secrets on the shared database. */
class Instance {
  readonly #id = randomUUID();
  #writer: string;

  constructor(
    readonly db: Database,
    readonly keys: readonly [Buffer, ...Buffer[]],
  ) {
    this.#writer = secretKeyId(keys[0]);
  }

  async report(): Promise<"old" | "new"> {
    this.#writer = await reportInstance(this.db, this.#id, this.keys);
    return this.#writer === secretKeyId(NEW) ? "new" : "old";
  }

  stop = () => forgetInstance(this.db, this.#id);
  goSilent = () =>
    this.db.$executeRaw`UPDATE instances SET seen_at = now() - interval '2 minutes' WHERE id = ${this.#id}::uuid`;

  /** They change while a request runs, as in a process. */
  get settings() {
    const writing = () => this.keys.find((key) => secretKeyId(key) === this.#writer) ?? this.keys[0];
    const others = () => this.keys.filter((key) => key !== writing());
    return {
      ...TEST_SETTINGS,
      get secretKey() {
        return writing();
      },
      get previousSecretKeys() {
        return others();
      },
    };
  }

  async reseal(): Promise<void> {
    await resealCredentials(this.db, this.settings);
    await resealAnswers(this.db, this.settings);
  }

  /** Does the work of requests: reads the provider's key, changes it, and repeats an idempotent request. */
  async serve({ context, organizationId }: World, apiKey: string | null): Promise<string | null> {
    const mine: Context = { ...context, settings: this.settings };
    if (apiKey !== null)
      await providers.update(mine, { params: { slug: "acme" }, query: {}, body: { api_key: apiKey } });
    const answer = await runOnce(mine, "once", "request", () => Promise.resolve("first"));
    expect(answer).toBe("first");
    const row = await this.db.provider.findFirstOrThrow({ where: { organizationId, slug: "acme" } });
    return openCredentials(this.settings, row).apiKey;
  }
}

let db: Database;
let world: World;
beforeEach(async () => {
  db = (await testDatabase()).client;
  await db.instance.deleteMany();
  world = await testWorld();
  await providers.create(world.context, {
    params: {},
    query: {},
    body: { slug: "acme", name: "Acme", base_url: "https://api.acme.example/v1", api_key: "first key" },
  });
});

describe("a rotation over two instances", () => {
  it("shows no caller an error, whichever instance has the new secret first", async () => {
    const [first, second] = [new Instance(db, [OLD]), new Instance(db, [OLD])];
    expect([await first.report(), await second.report()]).toEqual(["old", "old"]);

    await first.stop();
    const restarted = new Instance(db, [NEW, OLD]);
    expect(await restarted.report()).toBe("old");
    await restarted.reseal();
    expect(await restarted.serve(world, "key by the restarted")).toBe("key by the restarted");
    expect(await second.serve(world, null)).toBe("key by the restarted");
    expect(await second.serve(world, "key by the old")).toBe("key by the old");
    expect(await restarted.serve(world, null)).toBe("key by the old");

    await second.stop();
    const last = new Instance(db, [NEW, OLD]);
    expect([await last.report(), await restarted.report()]).toEqual(["new", "new"]);
    await last.reseal();
    expect(await last.serve(world, null)).toBe("key by the old");
    expect(await restarted.serve(world, "key by all")).toBe("key by all");

    const finished = new Instance(db, [NEW]);
    expect(await finished.report()).toBe("new");
    expect(await finished.serve(world, null)).toBe("key by all");
  });

  it("answers a repetition that waits while its instance switches", async () => {
    const [first, second] = [new Instance(db, [NEW, OLD]), new Instance(db, [NEW, OLD])];
    const old = new Instance(db, [OLD]);
    await old.report();
    expect(await second.report()).toBe("old");
    await old.stop();
    expect(await first.report()).toBe("new");
    const sent = (instance: Instance, work: () => Promise<string>) =>
      runOnce({ ...world.context, settings: instance.settings }, "once", "request", work);
    const steps = new EventEmitter();
    const [begun, written] = [once(steps, "begun"), once(steps, "written")];
    const original = sent(first, async () => {
      steps.emit("begun");
      await written;
      return "first";
    });
    await begun;
    const repetition = sent(second, () => Promise.resolve("second"));
    const switched = second.report();
    await Promise.race([switched, setTimeout(500)]);
    steps.emit("written");
    expect(await Promise.all([original, repetition, switched])).toEqual(["first", "first", "new"]);
  });

  it("doesn't wait for an instance that ended without saying so", async () => {
    const [crashed, restarted] = [new Instance(db, [OLD]), new Instance(db, [NEW, OLD])];
    await crashed.report();
    expect(await restarted.report()).toBe("old");
    await crashed.goSilent();
    expect(await restarted.report()).toBe("new");
  });

  it("starts no instance that lacks the secret in use", async () => {
    await new Instance(db, [NEW]).report();
    await expect(new Instance(db, [OLD]).report()).rejects.toThrow(
      `another instance encrypts with the secret ${secretKeyId(NEW)}, which isn't configured here`,
    );
    expect(await new Instance(db, [OLD, NEW]).report()).toBe("new");
  });
});

describe("a start with a wrong secret key on existing data", () => {
  it("is refused with a line that names the setting, the stored key and the configured one", async () => {
    const wrong = Buffer.alloc(32, 77);
    await expect(assertReadable(db, [wrong])).rejects.toThrow(
      /^SIGNALBOX_SECRET_KEY isn't the key of this database: stored secrets are encrypted with the secret key [0-9a-f]{12}, /,
    );
    await expect(assertReadable(db, [wrong])).rejects.toThrow(secretKeyId(wrong));
  });

  it("is noticed in every encrypted column", () => {
    const schema = readFileSync("prisma/schema.prisma", "utf8");
    const columns = [
      ...schema.matchAll(/^\s+\w*(?:[cC]iphertext|totpSecret|checkSecrets|credentials|headers)\s.*$/gm),
    ].map(([line]) => /@map\("(\w+)"\)/.exec(line)?.[1] ?? line.trim().split(/\s/)[0]);
    const query = readFileSync("lib/platform/secret-rollout/readable-store.ts", "utf8");
    // Answers to idempotent requests expire within a day.
    expect(columns.filter((column) => !query.includes(String(column)))).toEqual(["answer_ciphertext"]);
  });
});

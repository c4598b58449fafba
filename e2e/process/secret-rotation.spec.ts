import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createGuardrail } from "../../lib/records/guardrails/contract";
import { createKey } from "../../lib/records/keys/contract";
import { createModel } from "../../lib/records/models/contract";
import { createProvider, updateProvider } from "../../lib/records/providers/contract";
import { createChatCompletion } from "../../lib/gateway/contract";
import { startPostgres } from "../../lib/testing/postgres";
import { createApi } from "../api-client";
import { startFakeProvider } from "../fake-provider";
import { expect, test } from "../own-server";
import { MANAGEMENT_KEY, type Server } from "../server";
import { unique } from "../world";

const SWITCHED = "stored secrets are encrypted with SIGNALBOX_SECRET_KEY";
const newSecret = () => randomBytes(32).toString("base64");

/** Sends callers' requests continuously to the instances that a proxy would use. */
class Traffic {
  readonly live: Server[] = [];
  /** Number of running requests by instance. */
  readonly running = new Map<Server | undefined, number>();
  readonly errors: string[] = [];
  served = 0;
  #isOver = false;
  #turn = 0;

  constructor(readonly inferenceKey: string) {}

  /** Runs one caller, which calls a model and repeats an idempotent request at another instance. */
  async run(): Promise<void> {
    while (!this.#isOver) {
      const body = { model: "acme/model", messages: [{ role: "user" as const, content: "Hello" }] };
      await this.#expect(200, (api) => api.as(this.inferenceKey).send(createChatCompletion, { body }));
      const headers = { "idempotency-key": unique("once") };
      const guardrail = { body: { name: unique("G") } };
      const send = () => this.#expect(201, (api) => api.send(createGuardrail, guardrail, { headers }));
      const [created, repeated] = [await send(), await send()];
      if (created !== repeated) this.errors.push(`an idempotent request was repeated: ${created} ${repeated}`);
      await sleep(20);
    }
  }

  async #expect(status: number, send: (api: ReturnType<typeof createApi>) => Promise<Response>): Promise<string> {
    const server = this.live[this.#turn++ % this.live.length];
    this.#count(server, 1);
    try {
      const response = await send(createApi(server?.url ?? "", MANAGEMENT_KEY));
      const text = await response.text();
      if (response.status !== status) this.errors.push(`${response.status} ${text}`);
      this.served += 1;
      return text;
    } catch (error) {
      this.errors.push(String(error));
      return "";
    } finally {
      this.#count(server, -1);
    }
  }

  #count(server: Server | undefined, change: number): void {
    this.running.set(server, (this.running.get(server) ?? 0) + change);
  }

  stop(): void {
    this.#isOver = true;
  }
}

test("rotating the secret key of two processes shows no caller an error", async ({ own }) => {
  const postgres = await startPostgres();
  const provider = await startFakeProvider({ apiKey: "provider-key" });
  try {
    const [old, next] = [newSecret(), newSecret()];
    const start = (secretKey: string, previous = "") =>
      own.start({
        DATABASE_URL: postgres.url("postgres"),
        SIGNALBOX_SECRET_KEY: secretKey,
        SIGNALBOX_PREVIOUS_SECRET_KEYS: previous,
        SIGNALBOX_ALLOW_PRIVATE_UPSTREAMS: "true",
      });
    const first = await start(old);
    const api = createApi(first.url, MANAGEMENT_KEY);
    const { baseUrl } = provider;
    await api.call(createProvider, {
      body: { slug: "acme", name: "Acme", base_url: baseUrl, api_key: "provider-key" },
    });
    const price = { prompt: "1", completion: "1" };
    await api.call(createModel, { body: { slug: "acme/model", endpoints: [{ provider: "acme", price }] } });
    const { key } = await api.call(createKey, { body: { name: "Caller" } });

    const traffic = new Traffic(key);
    traffic.live.push(first, await start(old));
    const callers = [traffic.run(), traffic.run(), traffic.run()];
    /** Replaces the oldest instance, as a rolling update does. */
    const restart = async (secretKey: string, previous?: string) => {
      const before = traffic.served;
      const replaced = traffic.live.shift();
      // A proxy stops sending requests to an instance before it is stopped.
      await expect.poll(() => traffic.running.get(replaced)).toBe(0);
      await replaced?.stop();
      traffic.live.push(await start(secretKey, previous));
      await expect.poll(() => traffic.served).toBeGreaterThan(before + 20);
      expect(traffic.errors).toEqual([]);
    };
    /** Writes a secret with one instance and reads it with the other. */
    const rewrite = async () => {
      const body = { api_key: "provider-key" };
      await createApi(traffic.live.at(-1)?.url ?? "", MANAGEMENT_KEY).call(updateProvider, {
        params: { slug: "acme" },
        body,
      });
    };

    await restart(next, old);
    await rewrite();
    await restart(next, old);
    await rewrite();
    for (const server of traffic.live) await expect.poll(() => server.output().includes(SWITCHED)).toBe(true);
    await rewrite();
    await restart(next);
    await restart(next);
    await rewrite();
    traffic.stop();
    await Promise.all(callers);
    expect(traffic.errors).toEqual([]);
    // The provider accepts only its key, so an undecryptable key would have caused an error.
    expect(provider.received.length).toBeGreaterThan(20);
  } finally {
    await provider.stop();
    await postgres.stop();
  }
});

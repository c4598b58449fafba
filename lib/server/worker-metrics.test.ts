import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { restartDelayMs } from "./primary.mjs";
import { WorkerMetrics } from "./worker-metrics.mjs";

type Sent = { type: string; id: string; metrics?: object[][] };

/** Workers as in Node's cluster, each of which responds with a count. */
class FakeCluster extends EventEmitter {
  readonly workers: Record<string, { id: number; isConnected: () => boolean; send: (message: object) => void }> = {};
  readonly answers: Sent[] = [];

  add(id: number, value: number): void {
    const send = (message: object) => {
      const { type, id: scrape } = message as Sent;
      if (type === "signalbox:scraped") this.answers.push(message as Sent);
      else this.emit("message", this.workers[id], { type: "signalbox:metrics", id: scrape, metrics: counted(value) });
    };
    this.workers[id] = { id, isConnected: () => true, send };
  }

  async scrape(worker: number): Promise<object[][]> {
    this.emit("message", this.workers[worker], { type: "signalbox:scrape", id: "s" });
    await Promise.resolve();
    await Promise.resolve();
    return this.answers.at(-1)?.metrics ?? [];
  }
}

const counted = (value: number) => [
  { name: "requests", type: "counter", value },
  { name: "memory", type: "gauge", value },
];

it("collects the metrics of all workers, and remembers the counts of one that ended", async () => {
  const cluster = new FakeCluster();
  const metrics = new WorkerMetrics(cluster);
  cluster.add(1, 10);
  cluster.add(2, 20);
  expect(await cluster.scrape(1)).toEqual([counted(10), counted(20)]);
  delete cluster.workers[2];
  metrics.keep(2);
  cluster.add(3, 1);
  expect(await cluster.scrape(3)).toEqual([counted(10), counted(1), [counted(20)[0]]]);
});

it("delays the restart of workers that end again and again", () => {
  expect([1, 2, 3, 8, 100].map(restartDelayMs)).toEqual([250, 500, 1000, 30_000, 30_000]);
});

import "server-only";
import cluster from "node:cluster";
import { randomUUID } from "node:crypto";
import { AggregatorRegistry, type Registry } from "prom-client";
import { instruments } from "./instruments";

interface Message {
  type?: string;
  id?: string;
  metrics?: object[][];
}

/** Number of this worker when several processes share the port; null otherwise. */
export const workerId = (): number | null => cluster.worker?.id ?? null;

/** Sends this worker's metrics when the first process collects them. */
export function answerCollections(): void {
  if (!cluster.isWorker) return;
  process.on("message", ({ type, id }: Message) => {
    if (type !== "signalbox:collect") return;
    void instruments()
      .registry.getMetricsAsJSON()
      .then((metrics) => process.send?.({ type: "signalbox:metrics", id, metrics }));
  });
}

/** The metrics of this process, or of all workers together. */
export async function metricsOfAll(): Promise<Registry> {
  const { registry } = instruments();
  if (!cluster.isWorker) return registry;
  const id = randomUUID();
  return new Promise((resolve) => {
    const receive = ({ type, id: of, metrics = [] }: Message) => {
      if (type !== "signalbox:scraped" || of !== id) return;
      process.off("message", receive);
      resolve(AggregatorRegistry.aggregate(metrics));
    };
    process.on("message", receive);
    process.send?.({ type: "signalbox:scrape", id });
  });
}

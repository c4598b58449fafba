// Collects the metrics of all workers for the worker that responds to `/metrics`.

/**
 * @typedef {{name: string, type: string}} Metric one of prom-client's `getMetricsAsJSON`
 * @typedef {{isConnected: () => boolean, send: (message: object) => unknown}} Worker
 * @typedef {{type?: string, id?: string, metrics?: Metric[]}} Message
 */

const ANSWER_WITHIN_MS = 2_000;
/** Maximum number of ended workers whose counts are kept. */
const MOST_ENDED = 100;
/** Types of metrics that are still included after their worker has ended. */
const COUNTED = new Set(["counter", "histogram"]);

/**
 * Collects the metrics of all workers. The last collected counts of an ended worker stay in the sums, because a falling count looks
 * like a restart to Prometheus.
 */
export class WorkerMetrics {
  /** @type {Map<number, Metric[]>} */
  #last = new Map();
  /** @type {Metric[][]} */
  #ended = [];
  /** @type {Map<string, (worker: number) => void>} */
  #waiting = new Map();
  #cluster;

  /** @param {{workers?: NodeJS.Dict<Worker> | undefined, on: (event: "message", listener: (worker: Worker & {id: number}, message: Message) => void) => unknown}} cluster */
  constructor(cluster) {
    this.#cluster = cluster;
    cluster.on("message", (worker, { type, id = "", metrics = [] }) => {
      if (type === "signalbox:scrape") void this.#collect(id).then((all) => reply(worker, { id, metrics: all }));
      if (type !== "signalbox:metrics") return;
      this.#last.set(worker.id, metrics);
      this.#waiting.get(id)?.(worker.id);
    });
  }

  /** Keeps the counts of a worker that ended. @param {number} worker */
  keep(worker) {
    const counted = this.#last.get(worker)?.filter(({ type }) => COUNTED.has(type));
    this.#last.delete(worker);
    if (counted) this.#ended = [...this.#ended, counted].slice(-MOST_ENDED);
  }

  /** @param {string} id @returns {Promise<Metric[][]>} */
  #collect(id) {
    const workers = Object.entries(this.#cluster.workers ?? {}).filter(([, worker]) => worker?.isConnected());
    const pending = new Set(workers.map(([key]) => Number(key)));
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve([...this.#last.values(), ...this.#ended]);
      };
      const timer = setTimeout(finish, ANSWER_WITHIN_MS);
      this.#waiting.set(id, (worker) => pending.delete(worker) && pending.size === 0 && finish());
      for (const [, worker] of workers) worker?.send({ type: "signalbox:collect", id });
    });
  }
}

/** @param {Worker} worker @param {{id: string, metrics: Metric[][]}} answer */
function reply(worker, answer) {
  if (worker.isConnected()) worker.send({ type: "signalbox:scraped", ...answer });
}

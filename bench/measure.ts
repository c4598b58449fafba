import { generateLoad } from "./load";
import { processorTime } from "./processor-time";

export interface Contender {
  name: string;
  urls: readonly string[];
  /** Processes that serve it. */
  pids: readonly number[];
  headers?: Readonly<Record<string, string>>;
  /** Sent in turn by POST; a GET without any. */
  bodies?: readonly object[];
}

/** One round of one contender. */
export interface Round {
  requests: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Processor time per request of the contender's processes, in µs; null on systems without /proc. */
  cpuMicros: number | null;
  /** The same for PostgreSQL, whose work for the contender falls into its rounds. */
  databaseCpuMicros: number | null;
}

export interface Measured {
  name: string;
  rounds: Round[];
}

export interface Rounds {
  connections: number;
  rounds: number;
  seconds: number;
  /** Null warms up until the code is compiled. */
  warmUpSeconds: number | null;
  /** Processes of the database. */
  databasePids: readonly number[];
}

/** Measures every contender once per round, in alternating order, so that a slow minute of the machine affects all. */
export async function measure(contenders: readonly Contender[], given: Rounds): Promise<Measured[]> {
  const run = (contender: Contender, seconds: number) => measureOnce(contender, { ...given, seconds });
  for (const contender of contenders)
    if (given.warmUpSeconds === null) await warmUp(contender, given);
    else await run(contender, given.warmUpSeconds);
  const measured = contenders.map(({ name }) => ({ name, rounds: [] as Round[] }));
  for (let round = 0; round < given.rounds; round++) {
    const order = [...contenders.keys()];
    for (const index of round % 2 === 0 ? order : order.reverse()) {
      const contender = contenders[index];
      if (contender) measured[index]?.rounds.push(await run(contender, given.seconds));
    }
  }
  return measured;
}

/** The code is compiled to its fastest form only after some thousand requests, however long they take on a busy machine. */
const WARM_REQUESTS = 60_000;
const MOST_WARM_UP_S = 60;

/** Sends requests until the contender's code is compiled. */
export async function warmUp(contender: Contender, given: Pick<Rounds, "connections" | "databasePids">): Promise<void> {
  const seconds = 2;
  let requests = 0;
  for (let elapsed = 0; requests < WARM_REQUESTS && elapsed < MOST_WARM_UP_S; elapsed += seconds)
    requests += (await measureOnce(contender, { ...given, seconds })).requests;
}

export async function measureOnce(
  contender: Contender,
  {
    connections,
    seconds,
    databasePids,
    perSecond = null,
  }: Pick<Rounds, "connections" | "seconds" | "databasePids"> & { perSecond?: number | null },
): Promise<Round> {
  const { urls, pids, headers = {}, bodies = [] } = contender;
  const used = () => [processorTime(pids), processorTime(databasePids)] as const;
  const before = used();
  const { requests, requestsPerSecond, p50Ms, p99Ms } = await generateLoad({
    urls,
    connections,
    seconds,
    perSecond,
    method: bodies.length > 0 ? "POST" : "GET",
    headers: { ...headers, ...(bodies.length > 0 && { "content-type": "application/json" }) },
    bodies: bodies.map((body) => JSON.stringify(body)),
  });
  const after = used();
  const perRequest = (index: 0 | 1) => {
    const [from, to] = [before[index], after[index]];
    return from === null || to === null ? null : (to - from) / requests;
  };
  return { requests, requestsPerSecond, p50Ms, p99Ms, cpuMicros: perRequest(0), databaseCpuMicros: perRequest(1) };
}

import { readMetrics } from "@/lib/server/scrape";

export const dynamic = "force-dynamic";

/** Prometheus metrics of all workers. */
export const GET = (request: Parameters<typeof readMetrics>[0]) => readMetrics(request, new Date());

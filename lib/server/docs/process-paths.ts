/** Paths of the process, outside of `/v1` (docs/observability.md, docs/scaling.md). */
export const processPaths = (tag: string) => ({
  "/healthz": outside({
    operationId: "getLiveness",
    summary: "Check whether the process runs",
    description: "No authentication.",
    tags: [tag],
    security: [],
    responses: { 200: { description: "OK", content: json({ status: { const: "ok" } }) } },
  }),
  "/readyz": outside({
    operationId: "getReadiness",
    summary: "Check whether the process can serve requests",
    description: "No authentication.",
    tags: [tag],
    security: [],
    responses: {
      200: { description: "Ready", content: json({ status: { const: "ready" }, worker }) },
      503: {
        description:
          "Not ready: the database can't be reached or written, migrations are missing, or the process is stopping",
        content: {
          "application/json": {
            schema: {
              anyOf: [
                object({
                  status: { type: "string" },
                  worker,
                  migrations: { type: "array", items: { type: "string" } },
                }),
                { $ref: "#/components/schemas/Error" },
              ],
            },
          },
        },
      },
    },
  }),
  "/metrics": outside({
    operationId: "getMetrics",
    summary: "Get the metrics of all workers in Prometheus' format",
    description: "A management key with `analytics:read`, or SIGNALBOX_METRICS_TOKEN as a bearer token.",
    tags: [tag],
    responses: {
      200: { description: "OK", content: { "text/plain": { schema: { type: "string" } } } },
      401: { $ref: "#/components/responses/Error401" },
      403: { $ref: "#/components/responses/Error403" },
      502: { $ref: "#/components/responses/Error502" },
    },
  }),
});

const worker = { type: "integer", description: "Number of the worker, if several share the port" };

const object = (properties: Record<string, object>) => ({ type: "object", required: ["status"], properties });
const json = (properties: Record<string, object>) => ({ "application/json": { schema: object(properties) } });

const outside = (get: object) => ({ get: { ...get, servers: [{ url: "/", description: "This install" }] } });

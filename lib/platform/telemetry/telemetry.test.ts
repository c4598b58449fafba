import { afterEach, describe, expect, it, vi } from "vitest";
import { bytesInUse } from "../../testing/heap";
import { otlpReceiver } from "../../testing/otlp-receiver";
import { NOW } from "../../testing/test-context";
import { startTelemetry, stopTelemetry, telemetry } from "./telemetry";

afterEach(async () => {
  await stopTelemetry();
  vi.unstubAllEnvs();
});

/** Starts with the given variables, and sets them in the process, where the SDK reads them. */
async function start(variables: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  await startTelemetry(variables, NOW);
}

describe("startTelemetry", () => {
  it.each([
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: "" },
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318", OTEL_SDK_DISABLED: "true" },
  ])("does nothing with %j", async (variables) => {
    await startTelemetry(variables, NOW);
    expect(telemetry()).toBeNull();
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector" }, "OTEL_EXPORTER_OTLP_ENDPOINT must be a URL"],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4317", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
      "OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf",
    ],
  ])("refuses %j", async (variables, message) => {
    await expect(startTelemetry(variables, NOW)).rejects.toThrow(message);
  });

  it("exports one signal alone", async () => {
    const receiver = await otlpReceiver();
    await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_METRICS_EXPORTER: "none",
      OTEL_SERVICE_NAME: "gateway",
    });
    telemetry()?.measure({ duration: 1, attributes: {}, error: null });
    telemetry()?.start("GET /v1/key", new Date(), null, {}).end(performance.now());
    await stopTelemetry();
    receiver.close();
    expect(receiver.problems).toEqual([]);
    expect(receiver.points).toEqual([]);
    expect(receiver.spans).toMatchObject([{ name: "GET /v1/key", resource: { "service.name": "gateway" } }]);
    expect(receiver.spans[0]).not.toHaveProperty("parentSpanId");
  });

  it("keeps a bounded number of spans and series when the receiver never answers", async () => {
    const receiver = await otlpReceiver(() => undefined);
    await start({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
    const active = telemetry() ?? expect.fail();
    const some = (from: number, to: number) => {
      for (let index = from; index < to; index += 1) {
        const name = `chat model-${index}`;
        active.start(name, new Date(), null, { "gen_ai.request.model": name }).end(performance.now());
        active.measure({ duration: 1, attributes: { "gen_ai.request.model": name }, error: null });
      }
    };
    some(0, 5_000);
    const before = bytesInUse();
    some(5_000, 105_000);
    // Unbounded spans and series would take over 100 MB.
    expect(bytesInUse() - before).toBeLessThan(60 * 1024 * 1024);
    await stopTelemetry();
    receiver.close();
  });
});

// npm run bench:telemetry: what the export of traces and metrics by OTLP costs a request.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { openLab } from "./lab";
import { measure, type Measured } from "./measure";
import { chatOfSignalbox } from "./scenarios";
import { median } from "./statistics";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "7" },
    seconds: { type: "string", default: "4" },
    connections: { type: "string", default: "32" },
  },
});

/** A receiver that takes everything: its own work isn't part of the figures. */
let exports = 0;
const receiver = createServer((request, response) => {
  exports += 1;
  request.resume().on("end", () => response.writeHead(200, { "content-type": "application/x-protobuf" }).end());
});
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

const off = await openLab();
const on = await openLab({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
try {
  const contenders = [
    { ...(await chatOfSignalbox(off, "signalbox")), name: "off" },
    { ...(await chatOfSignalbox(on, "signalbox")), name: "on" },
  ];
  const [without, exporting] = await measure(contenders, {
    connections: Number(values.connections),
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    warmUpSeconds: 6,
    databasePids: [],
  });
  if (!without || !exporting || exports === 0) throw new Error("nothing was exported");
  const cpu = ({ rounds }: Measured) => rounds.map(({ cpuMicros }) => cpuMicros ?? NaN);
  const ratios = cpu(exporting).map((micros, round) => micros / (cpu(without)[round] ?? NaN));
  const show = (all: readonly number[], digits: number) =>
    `${median(all).toFixed(digits)} (${Math.min(...all).toFixed(digits)} to ${Math.max(...all).toFixed(digits)})`;
  process.stdout.write(
    [
      `processor time of a request without export: ${show(cpu(without), 0)} µs`,
      `processor time of a request with export:    ${show(cpu(exporting), 0)} µs`,
      `ratio, round by round:                      ${show(ratios, 3)}`,
      `exports received: ${exports}`,
      "",
    ].join("\n"),
  );
} finally {
  await on.stop();
  await off.stop();
  receiver.close();
}

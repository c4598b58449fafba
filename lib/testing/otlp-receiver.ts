// A receiver of OTLP over HTTP that decodes protobuf strictly: an unknown field or a wrong type is an error.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Type =
  | "string"
  | "id"
  | "bytes"
  | "bool"
  | "varint"
  | "fixed64"
  | "fixed32"
  | "double"
  | "doubles"
  | "fixed64s"
  | Message;
interface Message {
  [field: number]: readonly [name: string, type: Type, isRepeated?: true];
}

// https://github.com/open-telemetry/opentelemetry-proto: fields by number.
const anyValue: Message = {
  1: ["string", "string"],
  2: ["bool", "bool"],
  3: ["int", "varint"],
  4: ["double", "double"],
};
anyValue[5] = ["array", { 1: ["values", anyValue, true] }];
const attributes = ["attributes", { 1: ["key", "string"], 2: ["value", anyValue] }, true] as const;
const resource = ["resource", { 1: attributes, 2: ["dropped", "varint"] }] as const;
const scope = [
  "scope",
  { 1: ["name", "string"], 2: ["version", "string"], 3: attributes, 4: ["dropped", "varint"] },
] as const;
const span: Message = {
  1: ["traceId", "id"],
  2: ["spanId", "id"],
  3: ["traceState", "string"],
  4: ["parentSpanId", "id"],
  5: ["name", "string"],
  6: ["kind", "varint"],
  7: ["start", "fixed64"],
  8: ["end", "fixed64"],
  9: attributes,
  10: ["droppedAttributes", "varint"],
  12: ["droppedEvents", "varint"],
  14: ["droppedLinks", "varint"],
  15: ["status", { 2: ["message", "string"], 3: ["code", "varint"] }],
  16: ["flags", "fixed32"],
};
const traces: Message = {
  1: ["resources", { 1: resource, 2: ["scopes", { 1: scope, 2: ["spans", span, true] }, true] }, true],
};
const point: Message = {
  2: ["start", "fixed64"],
  3: ["time", "fixed64"],
  4: ["count", "fixed64"],
  5: ["sum", "double"],
  6: ["bucketCounts", "fixed64s"],
  7: ["bounds", "doubles"],
  9: attributes,
  10: ["flags", "varint"],
  11: ["min", "double"],
  12: ["max", "double"],
};
const metric: Message = {
  1: ["name", "string"],
  2: ["description", "string"],
  3: ["unit", "string"],
  9: ["histogram", { 1: ["points", point, true], 2: ["temporality", "varint"] }],
};
const metrics: Message = {
  1: ["resources", { 1: resource, 2: ["scopes", { 1: scope, 2: ["metrics", metric, true] }, true] }, true],
};

type Decoded = Record<string, unknown>;

function decode(bytes: Buffer, message: Message): Decoded {
  const result: Decoded = {};
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const [name, type, isRepeated] = message[tag >> 3] ?? [];
    if (name === undefined || type === undefined) throw new Error(`unknown field ${tag >> 3}`);
    const wire = tag & 7;
    const expected = typeof type === "object" || !(type in WIRES) ? 2 : WIRES[type as keyof typeof WIRES];
    if (wire !== expected) throw new Error(`field ${name} has the wire type ${wire}`);
    let value: unknown;
    if (wire === 0) value = type === "bool" ? varint() === 1n : Number(varint());
    else if (wire === 1) {
      value = type === "double" ? bytes.readDoubleLE(at) : bytes.readBigUInt64LE(at);
      at += 8;
    } else if (wire === 5) {
      value = bytes.readUInt32LE(at);
      at += 4;
    } else {
      const length = Number(varint());
      const part = bytes.subarray(at, (at += length));
      if (part.length !== length) throw new Error(`field ${name} is cut`);
      value = typeof type === "object" ? decode(part, type) : READERS[type as keyof typeof READERS](part);
    }
    if (isRepeated) ((result[name] ??= []) as unknown[]).push(value);
    else result[name] = value;
  }
  return result;
}

const WIRES = { bool: 0, varint: 0, fixed64: 1, double: 1, fixed32: 5 };
const eights = (part: Buffer) => Array.from({ length: part.length / 8 }, (_, index) => index * 8);
const READERS = {
  string: (part: Buffer) => new TextDecoder("utf-8", { fatal: true }).decode(part),
  id: (part: Buffer) => part.toString("hex"),
  bytes: (part: Buffer) => part,
  doubles: (part: Buffer) => eights(part).map((at) => part.readDoubleLE(at)),
  fixed64s: (part: Buffer) => eights(part).map((at) => Number(part.readBigUInt64LE(at))),
};

interface RawAttribute {
  key: string;
  value: Decoded;
}

const plain = (value: Decoded): unknown =>
  "array" in value ? ((value["array"] as { values?: Decoded[] }).values ?? []).map(plain) : Object.values(value)[0];
const attributesOf = (raw: RawAttribute[] = []) => Object.fromEntries(raw.map(({ key, value }) => [key, plain(value)]));

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  name: string;
  /** 1 internal, 2 server, 3 client. */
  kind: number;
  start: bigint;
  end: bigint;
  attributes: Record<string, unknown>;
  resource: Record<string, unknown>;
  status?: { code?: number; message?: string };
}

export interface ReceivedPoint {
  metric: string;
  unit: string;
  count: number;
  sum: number;
  bounds: number[];
  attributes: Record<string, unknown>;
}

interface Resources {
  resources?: { resource: { attributes: RawAttribute[] }; scopes: { spans?: Decoded[]; metrics?: Decoded[] }[] }[];
}

function spansIn(body: Buffer): ReceivedSpan[] {
  const { resources = [] } = decode(body, traces) as Resources;
  return resources.flatMap((one) =>
    one.scopes.flatMap(({ spans = [] }) =>
      spans.map(
        (each) =>
          ({
            ...each,
            attributes: attributesOf(each["attributes"] as RawAttribute[]),
            resource: attributesOf(one.resource.attributes),
          }) as ReceivedSpan,
      ),
    ),
  );
}

function pointsIn(body: Buffer): ReceivedPoint[] {
  const { resources = [] } = decode(body, metrics) as Resources;
  return resources.flatMap((one) =>
    one.scopes.flatMap((each) =>
      (each.metrics ?? []).flatMap(({ name, unit, histogram }) =>
        (histogram as { points: (Decoded & { attributes: RawAttribute[] })[] }).points.map(
          (raw) =>
            ({
              ...raw,
              metric: name,
              unit,
              count: Number(raw["count"]),
              attributes: attributesOf(raw.attributes),
            }) as unknown as ReceivedPoint,
        ),
      ),
    ),
  );
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const accept: Answer = (_, response) => response.writeHead(200, { "content-type": "application/x-protobuf" }).end();

/** Starts a receiver; `answer` may be slow or fail. `problems` contains decoding errors. */
export async function otlpReceiver(answer: Answer = accept) {
  const spans: ReceivedSpan[] = [];
  const points: ReceivedPoint[] = [];
  const problems: unknown[] = [];
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      try {
        const body = Buffer.concat(parts);
        if (request.headers["content-type"] !== "application/x-protobuf") throw new Error("wrong content type");
        if (request.url === "/v1/traces") spans.push(...spansIn(body));
        else if (request.url === "/v1/metrics") points.push(...pointsIn(body));
        else throw new Error(`wrong path ${request.url}`);
      } catch (error) {
        problems.push(error);
      }
      answer(request, response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.close().closeAllConnections();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    points,
    problems,
    requests: () => requests,
    close,
  };
}

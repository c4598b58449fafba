import { Buffer } from "node:buffer";
import type { IncomingMessage, RequestListener } from "node:http";
import { EventStreamCodec } from "@smithy/core/event-streams";
import { signatureProblem } from "./sigv4";
import { StrictConverseBody } from "./strict-converse";

const ACCESS_KEY_ID = "AKIDEXAMPLE";
const SECRET = "wJalrXUtnFEMI/K7MDENG";
export const BEDROCK_KEYS: Readonly<Record<string, string>> = {
  access_key_id: ACCESS_KEY_ID,
  secret_access_key: SECRET,
};
export const BEDROCK_REGION = "eu-west-1";

const codec = new EventStreamCodec(
  (input) => (typeof input === "string" ? input : Buffer.from(input).toString("utf8")),
  (text) => Buffer.from(text, "utf8"),
);
const string = (value: string) => ({ type: "string" as const, value });

/** Encodes an event, or an exception by its name, as a message of an AWS event stream. */
export function binaryEvent(event: object): Uint8Array<ArrayBuffer> {
  const [name = "", payload] = Object.entries(event)[0] ?? [];
  const kind = name.endsWith("Exception") ? "exception" : "event";
  const encoded = codec.encode({
    headers: {
      [`:${kind}-type`]: string(name),
      ":content-type": string("application/json"),
      ":message-type": string(kind),
    },
    body: Buffer.from(JSON.stringify(payload)),
  });
  return new Uint8Array(encoded);
}

/** A response of the fake: a status with a body, or events of a stream. */
export interface BedrockAnswer {
  status?: number;
  errorType?: string;
  body?: object;
  events?: readonly object[];
}

/**
 * A fake of Bedrock's runtime that checks signature, path and body strictly. It returns a whole response or a real
 * binary event stream. `received` gets every accepted body with its model and operation.
 */
export function bedrockUpstream(
  now: Date,
  answer: (model: string) => BedrockAnswer,
  received: { model: string; operation: string; body: unknown }[] = [],
): RequestListener {
  return (request, response) => {
    void bodyOf(request).then((body) => {
      const refuse = (status: number, type: string, message: string) =>
        response
          .writeHead(status, { "content-type": "application/json", "x-amzn-errortype": type })
          .end(JSON.stringify({ message }));
      const { method = "", url: target = "", headers } = request;
      const problem = signatureProblem(
        { method, target, headers, body },
        {
          accessKeyId: ACCESS_KEY_ID,
          secret: SECRET,
          region: BEDROCK_REGION,
          service: "bedrock",
          now,
        },
      );
      if (problem !== null) return refuse(403, "InvalidSignatureException", problem);
      if (method === "GET" && target === "/foundation-models")
        return response.end(
          JSON.stringify({ modelSummaries: [{ modelId: "amazon.nova-pro-v1:0", modelName: "Nova" }] }),
        );
      const [, name = "", operation = ""] = /^\/model\/([^/]+)\/(converse|converse-stream)$/.exec(target) ?? [];
      if (method !== "POST" || name === "") return refuse(404, "UnknownOperationException", `${method} ${target}`);
      const parsed = StrictConverseBody.safeParse(JSON.parse(body));
      if (!parsed.success) return refuse(400, "ValidationException", parsed.error.message);
      const model = decodeURIComponent(name);
      received.push({ model, operation, body: parsed.data });
      const { status = 200, errorType, body: whole, events = [] } = answer(model);
      if (status !== 200) return refuse(status, errorType ?? "", (whole as { message: string }).message);
      if (operation === "converse")
        return response.setHeader("content-type", "application/json").end(JSON.stringify(whole));
      response.setHeader("content-type", "application/vnd.amazon.eventstream");
      for (const event of events) response.write(binaryEvent(event));
      return response.end();
    });
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

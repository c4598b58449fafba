import "server-only";
import { decodeXML } from "entities";
import type { BucketSettings } from "../env";
import { outboundFetch, type OutboundRequest } from "./fetch";
import { readBytes, readStart, readWhole } from "./bounded-body";

/** A request that the service refused, with its code such as `AccessDenied`. Contains no address or secret. */
export class S3Failure extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(`The object storage answered ${status} ${code}`);
    this.name = "S3Failure";
  }
}

const IDLE_MS = 10_000;
const MAX_ERROR_BYTES = 16 * 1024;
const MAX_LISTING_BYTES = 4 * 1024 * 1024;
const CODE = /<Code>([A-Za-z0-9.]{1,100})<\/Code>/;

const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** Returns the texts of an element in order. Listings have no attributes or CDATA. */
const textsOf = (xml: string, element: string): string[] =>
  [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, "g"))].map(([, text = ""]) => decodeXML(text));

/**
 * Writes, reads, deletes and lists objects of one bucket, within the rules of outbound requests. The signer is loaded on first use.
 * `allowPrivate` permits http and private addresses.
 */
export class Bucket {
  constructor(
    private readonly settings: BucketSettings,
    private readonly rules: { allowPrivate: boolean },
  ) {}

  async put(key: string, body: Uint8Array, contentType: string, signal: AbortSignal): Promise<void> {
    const response = await this.#send({ method: "PUT", key, body, contentType, signal });
    await readStart(response, MAX_ERROR_BYTES);
  }

  /** Returns null for a key without an object. */
  async get(key: string, maxBytes: number, signal: AbortSignal): Promise<Buffer | null> {
    try {
      return await readBytes(await this.#send({ method: "GET", key, signal }), maxBytes);
    } catch (error) {
      if (error instanceof S3Failure && error.code === "NoSuchKey") return null;
      throw error;
    }
  }

  /** Deletes an object if it exists. */
  async delete(key: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#send({ method: "DELETE", key, signal });
    } catch (error) {
      if (!(error instanceof S3Failure && error.code === "NoSuchKey")) throw error;
    }
  }

  /** Lists the next 1,000 keys with a prefix after `after`, in order; an empty list is the end. */
  async list(prefix: string, after: string, signal: AbortSignal): Promise<string[]> {
    const query = {
      "list-type": "2",
      prefix,
      ...(after !== "" && { "start-after": after }),
    };
    return textsOf(
      await readWhole(await this.#send({ method: "GET", key: "", query, signal }), MAX_LISTING_BYTES),
      "Key",
    );
  }

  async #send({
    method,
    key,
    query = {},
    body,
    contentType,
    signal,
  }: {
    method: OutboundRequest["method"];
    key: string;
    query?: Readonly<Record<string, string>>;
    body?: Uint8Array;
    contentType?: string;
    signal: AbortSignal;
  }): Promise<Response> {
    const { endpoint, region, bucket, pathStyle, writeTimeoutMs, accessKeyId, secretAccessKey } = this.settings;
    const [{ SignatureV4 }, { Hash }] = await Promise.all([
      import("@smithy/signature-v4"),
      import("@smithy/core/serde"),
    ]);
    const { protocol, host: base, pathname } = new URL(endpoint);
    const host = pathStyle ? base : `${bucket}.${base}`;
    const parts = [...pathname.split("/"), ...(pathStyle ? [bucket] : []), ...key.split("/")];
    const path = `/${parts
      .filter((part) => part !== "")
      .map(encoded)
      .join("/")}`;
    const signer = new SignatureV4({
      service: "s3",
      region,
      credentials: { accessKeyId, secretAccessKey },
      sha256: Hash.bind(null, "sha256"),
      // Object keys are encoded once, unlike paths of other services.
      uriEscapePath: false,
      applyChecksum: true,
    });
    const { headers } = await signer.sign({
      method,
      protocol,
      hostname: host,
      path,
      query: { ...query },
      headers: { host, ...(contentType !== undefined && { "content-type": contentType }) },
      ...(body !== undefined && { body }),
    });
    const search = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
    const { host: _host, ...sent } = headers;
    const response = await outboundFetch({
      peer: "object storage",
      method,
      url: `${protocol}//${host}${path}${search.length > 0 ? `?${search.join("&")}` : ""}`,
      headers: sent,
      ...(body !== undefined && { body }),
      allowPrivate: this.rules.allowPrivate,
      timeouts: { connect: writeTimeoutMs, firstByte: Math.max(IDLE_MS, writeTimeoutMs), idle: IDLE_MS },
      signal,
    });
    if (response.status < 300) return response;
    const [, code = "Error"] = CODE.exec(await readStart(response, MAX_ERROR_BYTES)) ?? [];
    throw new S3Failure(response.status, code);
  }
}

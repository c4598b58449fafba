import type { AccumulatedResponse } from "../engine/protocols/accumulate";
import type { ResponseHeader } from "../engine/protocols/chat/stream-encoder";
import type { OutputItem } from "../engine/protocols/contracts/responses-result-contract";
import type { Receipt, StreamEncoder } from "../engine/protocols/observe";
import type { UpstreamRequest } from "../engine/protocols/upstream-request";
import type { callUpstream } from "./upstream/endpoint-client";
import type { CallEndpoint } from "./upstream/upstream-client";

/** Sends a request to an endpoint, and returns a response of the provider's protocol. */
export type Send = (exchange: ReturnType<typeof callUpstream>, ...call: Parameters<CallEndpoint>) => Promise<Response>;

/** Encodes responses of a protocol, whole or as events. */
export interface Presentation<Whole> {
  /** A text shown before the content of each choice. Response filters apply to it. */
  textBefore?: string;
  /** Calls an upstream in another way than `upstreamRequest`. */
  send?: Send;
  whole: (heading: ResponseHeader, accumulated: AccumulatedResponse, receipt: Receipt) => Whole;
  /** Returns the output items of a complete Responses API response. */
  items?: (heading: ResponseHeader, accumulated: AccumulatedResponse) => readonly OutputItem[];
  encoder: (heading: ResponseHeader, echo: UpstreamRequest["body"] | null) => StreamEncoder;
}

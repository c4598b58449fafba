import "server-only";
import { Buffer } from "node:buffer";
import type { ResponseChunk, UpstreamReader, Delta } from "../response-chunk";
import { asObject, asObjects, asText, type JsonObject } from "../../../platform/json-values";
import { answerObject, BrokenResponse } from "../broken-response";
import { madeUpCallId } from "../call-id";
import { toAnnotations } from "./citations";
import { PartialArguments } from "./partial-arguments";
import { imageId, toExtraContent, toSignatureDetail } from "./signatures";
import { readUsageMetadata } from "./usage";

type Choice = ResponseChunk["choices"][number];

/** Finish reasons by the upstream's reason. An unlisted reason is a failure of the model. */
const FINISH_REASONS: Readonly<Record<string, string>> = {
  STOP: "stop",
  MAX_TOKENS: "length",
  CONTINUATION: "length",
  SAFETY: "content_filter",
  RECITATION: "content_filter",
  LANGUAGE: "content_filter",
  BLOCKLIST: "content_filter",
  PROHIBITED_CONTENT: "content_filter",
  SPII: "content_filter",
  MODEL_ARMOR: "content_filter",
  IMAGE_SAFETY: "content_filter",
  IMAGE_PROHIBITED_CONTENT: "content_filter",
  IMAGE_RECITATION: "content_filter",
};
const UNSPECIFIED = "FINISH_REASON_UNSPECIFIED";

/** Maximum number of candidates in an answer. */
const MOST_CANDIDATES = 256;

/** Converts answers of `generateContent`, whole and streamed, to canonical chunks: candidates become choices. */
export class GenerateContentUpstreamReader implements UpstreamReader {
  #id: string | null = null;
  #isBlocked = false;
  readonly #candidates = new Map<number, CandidateReader>();

  /** @param seed Makes the ids of calls unique that the upstream sends without one, in an answer without an id. */
  constructor(private readonly seed = "upstream") {}

  /** Always false: usage may follow the last candidate, so only the end of the stream completes the answer. */
  readonly isComplete = false;

  read(event: unknown): ResponseChunk[] {
    return [this.#chunk(event)];
  }

  readWhole(body: unknown): ResponseChunk[] {
    const chunk = this.#chunk(body);
    if (!this.#isFinished()) throw notGenerated(body);
    return [chunk];
  }

  end(): ResponseChunk[] {
    if (!this.#isFinished())
      throw new BrokenResponse("The upstream's stream ended before the response was complete", "");
    return [];
  }

  #isFinished(): boolean {
    const candidates = [...this.#candidates.values()];
    return this.#isBlocked || (candidates.length > 0 && candidates.every(({ isFinished }) => isFinished));
  }

  #chunk(value: unknown): ResponseChunk {
    const event = answerObject(value);
    const { candidates, promptFeedback, usageMetadata } = event;
    if (!Array.isArray(candidates) && !promptFeedback && !usageMetadata) throw notGenerated(event);
    this.#id ??= asText(event["responseId"]);
    const created = Date.parse(asText(event["createTime"]) ?? "");
    const choices = [
      ...this.#blocked(asObject(promptFeedback)),
      ...asObjects(candidates).map((candidate) => this.#candidate(candidate)),
    ];
    return {
      id: this.#id,
      created: Number.isNaN(created) ? null : Math.floor(created / 1000),
      usage: readUsageMetadata(usageMetadata),
      choices,
    };
  }

  /** Returns the choice of a prompt without candidates, which the upstream's own filters blocked. */
  #blocked(feedback: JsonObject | null): Choice[] {
    const reason = asText(feedback?.["blockReason"]);
    if (reason === null || reason === "BLOCKED_REASON_UNSPECIFIED") return [];
    this.#isBlocked = true;
    const refusal = asText(feedback?.["blockReasonMessage"]);
    const delta: Delta = { content: null, ...(refusal !== null && { refusal }) };
    return [{ index: 0, delta, finish_reason: "content_filter", native_finish_reason: reason }];
  }

  #candidate(candidate: JsonObject): Choice {
    const given = candidate["index"];
    const index = Number.isInteger(given) && Number(given) >= 0 ? Number(given) : 0;
    let reader = this.#candidates.get(index);
    if (!reader) {
      if (this.#candidates.size >= MOST_CANDIDATES) throw notGenerated({ candidates: this.#candidates.size + 1 });
      this.#candidates.set(index, (reader = new CandidateReader(index)));
    }
    return reader.read(candidate, this.#id || this.seed);
  }
}

type ToolCallDelta = NonNullable<Delta["tool_calls"]>[number];

/** A call whose parts arrive one after the other. */
interface OpenCall {
  id: unknown;
  name: string | null;
  signature: string | null;
  args: PartialArguments;
}

/** One candidate of an answer. */
class CandidateReader {
  isFinished = false;
  #text = "";
  #calls = 0;
  readonly #ids = new Set<string>();
  /** The call whose arguments are still arriving. */
  #open: OpenCall | null = null;
  #images = 0;
  /** Sources so far. Each report repeats them and refers to the whole text. */
  #sources: JsonObject = {};

  constructor(private readonly index: number) {}

  read(candidate: JsonObject, answerId: string): Choice {
    const isLast = asText(candidate["finishReason"]) !== null && candidate["finishReason"] !== UNSPECIFIED;
    const delta = this.#delta(asObjects(asObject(candidate["content"])?.["parts"]), answerId, isLast);
    for (const name of ["groundingMetadata", "citationMetadata", "citationSources"])
      if (candidate[name]) this.#sources[name] = candidate[name];
    const reason = asText(candidate["finishReason"]);
    const logprobs = toLogprobs(asObject(candidate["logprobsResult"]));
    const base = { index: this.index, ...(logprobs && { logprobs }) };
    if (reason === null || reason === UNSPECIFIED) return { ...base, delta, finish_reason: null };
    this.isFinished = true;
    const annotations = toAnnotations(this.#sources, this.#text);
    const finish_reason = FINISH_REASONS[reason] ?? "error";
    return {
      ...base,
      delta: annotations.length > 0 ? { ...delta, annotations } : delta,
      finish_reason: finish_reason === "stop" && this.#calls > 0 ? "tool_calls" : finish_reason,
      native_finish_reason: reason,
    };
  }

  #delta(parts: readonly JsonObject[], answerId: string, isLast: boolean): Delta {
    let content = "";
    let reasoning = "";
    const details: JsonObject[] = [];
    const images: JsonObject[] = [];
    const tool_calls: ToolCallDelta[] = [];
    for (const part of parts) {
      const { text, thought, functionCall } = part;
      const signature = asText(part["thoughtSignature"]);
      const image = imageUrl(part);
      const call = asObject(functionCall);
      if (call) tool_calls.push(...this.#calledIn(call, signature, answerId, details));
      else if (image !== null) {
        if (signature) details.push(toSignatureDetail(signature, imageId(this.#images)));
        images.push({ type: "image_url", image_url: { url: image }, index: this.#images++ });
      } else {
        if (thought === true) reasoning += asText(text) ?? "";
        else content += asText(text) ?? "";
        if (signature) details.push(toSignatureDetail(signature, null));
      }
    }
    if (isLast) tool_calls.push(...this.#closed(answerId, details));
    this.#text += content;
    return {
      ...(content !== "" && { content }),
      ...(reasoning !== "" && { reasoning }),
      ...(details.length > 0 && { reasoning_details: details }),
      ...(tool_calls.length > 0 && { tool_calls }),
      ...(images.length > 0 && { images }),
    };
  }

  /** Returns the calls that a part completes. A part without a name continues the call before it, until one is the last. */
  #calledIn(part: JsonObject, signature: string | null, answerId: string, details: JsonObject[]): ToolCallDelta[] {
    const name = asText(part["name"]) || null;
    const isMore = part["willContinue"] === true;
    // An end without a beginning.
    if (!this.#open && Object.keys(part).length === 0) return [];
    const isContinued = this.#open !== null && (name === null || (part["id"] && part["id"] === this.#open.id));
    const before = isContinued ? [] : this.#closed(answerId, details);
    const open = (this.#open ??= { id: part["id"], name, signature: null, args: new PartialArguments() });
    open.signature ??= signature;
    open.args.add(part);
    return [...before, ...(isMore ? [] : this.#closed(answerId, details))];
  }

  /** Returns the call whose arguments arrived in parts, which has ended. */
  #closed(answerId: string, details: JsonObject[]): ToolCallDelta[] {
    const open = this.#open;
    this.#open = null;
    return open ? [this.#call(open, answerId, details)] : [];
  }

  #call({ id: given, name, signature, args }: OpenCall, answerId: string, details: JsonObject[]): ToolCallDelta {
    const index = this.#calls++;
    const place = this.index === 0 ? index : `${this.index}_${index}`;
    const own = asText(given);
    const id = own && !this.#ids.has(own) ? own : madeUpCallId(answerId, place);
    this.#ids.add(id);
    if (signature) details.push(toSignatureDetail(signature, id));
    return {
      index,
      id,
      type: "function",
      function: { name: name ?? "", arguments: args.json },
      ...(signature && toExtraContent(signature)),
    };
  }
}

/** Returns an image as a data URL or its address. */
function imageUrl({ inlineData, fileData }: JsonObject): string | null {
  const { mimeType: type, data } = asObject(inlineData) ?? {};
  if (typeof type === "string" && type.startsWith("image/") && typeof data === "string")
    return `data:${type};base64,${data}`;
  const { mimeType, fileUri } = asObject(fileData) ?? {};
  return typeof mimeType === "string" && mimeType.startsWith("image/") ? asText(fileUri) : null;
}

function toLogprobs(result: JsonObject | null): { content: JsonObject[]; refusal: null } | null {
  const chosen = asObjects(result?.["chosenCandidates"]);
  if (chosen.length === 0) return null;
  const top = asObjects(result?.["topCandidates"]);
  const content = chosen.map((token, index) => ({
    ...toToken(token),
    top_logprobs: asObjects(top[index]?.["candidates"]).map(toToken),
  }));
  return { content, refusal: null };
}

const toToken = ({ token, logProbability }: JsonObject): JsonObject => ({
  token: asText(token) ?? "",
  logprob: typeof logProbability === "number" ? logProbability : 0,
  bytes: [...Buffer.from(asText(token) ?? "")],
});

const notGenerated = (value: unknown) =>
  new BrokenResponse("The upstream's response is not a generateContent response", JSON.stringify(value));

import type { ResponseChunk, MessageEvent, ResponseEvent } from "../protocols/response-chunk";
import { asObject } from "../../platform/json-values";
import { MessagesUpstreamReader } from "../protocols/messages/upstream-reader";
import { ResponsesUpstreamReader } from "../protocols/responses/upstream-reader";
import { responseTexts, scannedFields, type ResponseText } from "../filters/response-texts";
import { ANSWER_UNSCANNED, sentOfResponse } from "../filters/coverage";
import { deltaForm, eventPath, partPath } from "../filters/event-path";
import { messagePath, STREAMED_TEXTS } from "../filters/message-path";
import type { Leaf, LeafForm } from "../filters/leaves";
import type { LeafPath } from "../filters/places";
import { CopyOnWrite } from "../filters/write-back";

/** A complete answer that hasn't been sent. */
export interface HeldResponse {
  /** Every text and property name of the answer, once each. */
  leaves: readonly Leaf[];
  /** Returns the answer with new texts, given in the order of `leaves`. */
  written: (leaves: readonly Leaf[]) => ResponseChunk[];
}

export function heldResponse(chunks: readonly ResponseChunk[]): HeldResponse {
  const parts = chunks.map((chunk) => ({ chunk, texts: textsOf(chunk) }));
  const leaves = new Map<string, Leaf>();
  for (const { chunk, texts } of parts)
    for (const { path, text, form, isFixed } of texts.filter(isSaid)) {
      const known = leaves.get(text);
      leaves.set(text, {
        path: known?.path ?? placeOf(chunk, path),
        text,
        form: known ? stricter(known.form, form) : form,
        isFixed: isFixed || (known?.isFixed ?? false),
        isUser: false,
        turn: null,
      });
    }
  const originals = [...leaves.keys()];
  return {
    leaves: [...leaves.values()],
    written: (changed) => {
      const replacements = new Map(
        changed.flatMap(({ text }, index) => {
          const original = originals[index];
          return original === undefined || original === text ? [] : [[original, text] as const];
        }),
      );
      if (replacements.size === 0) return [...chunks];
      const responses = new ResponsesUpstreamReader();
      const messages = new MessagesUpstreamReader({ isWhole: true });
      const changedThinking = new Set<unknown>();
      return parts.flatMap(({ chunk, texts }) => {
        const { responseEvent, messageEvent } = chunk;
        if (responseEvent) return responses.read(rewritten(responseEvent, texts, replacements));
        // Callers get a completion that is built from the new texts.
        if (!messageEvent) return [rewritten(withoutSent(chunk), texts, replacements)];
        const written = rewritten(messageEvent, texts, replacements);
        const [before, after] = [asObject(messageEvent["delta"]), asObject(written["delta"])];
        if (before?.["thinking"] !== after?.["thinking"]) changedThinking.add(written["index"]);
        // A signature is valid only for the upstream's unchanged thinking.
        const isVoid = before?.["type"] === "signature_delta" && changedThinking.has(written["index"]);
        return isVoid ? [] : messages.read(written);
      });
    },
  };
}

function rewritten<Value extends object>(
  value: Value,
  texts: readonly ResponseText[],
  replacements: ReadonlyMap<string, string>,
): Value {
  const copy = new CopyOnWrite(value);
  for (const { path, text } of texts.filter(isSaid)) {
    const replacement = replacements.get(text);
    if (replacement !== undefined) copy.write(path, replacement);
  }
  return copy.value;
}

/** True for texts that the model wrote; false for ids, finish reasons and other words of the server. */
const isSaid = ({ form, isFixed }: ResponseText) => form === "name" || !isFixed;

/** Removes the original completion, which repeats the texts of all chunks. */
const withoutSent = ({ sentCompletion: _, ...chunk }: ResponseChunk): ResponseChunk => chunk;

function textsOf(chunk: ResponseChunk): ResponseText[] {
  if (chunk.responseEvent) return eventTexts(chunk.responseEvent);
  if (chunk.messageEvent) return messageTexts(chunk.messageEvent);
  const sent = Object.entries(withoutSent(chunk)).filter(([name]) => !ANSWER_UNSCANNED.chat_completions.has(name));
  return [...responseTexts(Object.fromEntries(sent))];
}

function messageTexts(event: MessageEvent): ResponseText[] {
  const streamed = event.type === "content_block_delta" && STREAMED_TEXTS.get(asObject(event["delta"])?.["type"]);
  return [...responseTexts(event)]
    .filter(({ path: [first, name] }) => first !== "message" || !ANSWER_UNSCANNED.messages.has(String(name)))
    .map((text) => (streamed && text.path[1] === streamed.name ? { ...text, form: streamed.form } : text));
}

function eventTexts(event: ResponseEvent): ResponseText[] {
  const { response: given, ...fields } = scannedFields(event);
  const response = asObject(given);
  const sent = response && sentOfResponse(response);
  return [...responseTexts({ ...fields, ...(sent && { response: sent }) })].map((text) =>
    text.path.length === 1 && text.path[0] === "delta" ? { ...text, form: deltaForm(event.type) } : text,
  );
}

/** The place of a chunk's text in the complete answer. */
const placeInMessage = (path: LeafPath): LeafPath =>
  path[0] === "choices" && path[2] === "delta" ? path.with(2, "message") : path;

function placeOf({ responseEvent: event, messageEvent }: ResponseChunk, path: LeafPath): LeafPath {
  if (messageEvent) return messagePath(messageEvent, path);
  if (!event) return placeInMessage(path);
  if (path[0] === "response") return path.slice(1);
  return path[0] === "delta" && path.length === 1 ? partPath(event.type, event) : eventPath(event, path);
}

/** Returns the more specific form: an event may carry JSON or media as plain text. */
const stricter = (one: LeafForm, other: LeafForm): LeafForm =>
  (["json", "media"] as const).find((form) => form === one || form === other) ?? one;

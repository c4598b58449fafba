import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useReducer, useRef, type RefObject } from "react";
import { announce } from "@/lib/browser/announce";
import type { CallInput } from "@/lib/browser/api-client";
import { toFailure } from "@/lib/browser/api-failure";
import { invalidate } from "@/lib/browser/api-query";
import { streamChat, type StreamedChunk } from "@/lib/browser/chat-stream";
import { listGenerations } from "@/lib/browser/operations/generations";
import type { sendFromPlayground } from "@/lib/browser/operations/playground";
import { answeredQuery } from "./playground-queries";
import {
  forgetConversation,
  isSaved,
  isShown,
  keepInMemory,
  saveConversation,
  savedConversation,
} from "./saved-conversation";
import { messagesOf, NEW_ANSWER, withChunk, type Answer, type Turn } from "./conversation";

type Body = CallInput<typeof sendFromPlayground>["body"];

/** All of a request besides the conversation. */
export interface RequestOptions {
  keyHash: string;
  guardrailId: string | null;
  draft: Body["draft"];
  model: string;
  systemPrompt: string;
  fields: Readonly<Record<string, unknown>>;
}

type Action =
  | { type: "begin"; turns: readonly Turn[] }
  | { type: "change"; change: (answer: Answer) => Answer }
  | { type: "restore"; turns: readonly Turn[] }
  | { type: "clear" };

function reduce(turns: readonly Turn[], action: Action): readonly Turn[] {
  if (action.type === "clear") return [];
  if (action.type === "restore") return action.turns;
  if (action.type === "begin") return [...action.turns, NEW_ANSWER];
  return turns.map((turn, index) =>
    turn.role === "assistant" && index === turns.length - 1 ? action.change(turn) : turn,
  );
}

/** Longest part of an answer announced to screen readers. */
const ANNOUNCED_CHARACTERS = 400;

function spoken({ state, content, toolCalls, failure }: Answer, model: string): string {
  if (failure) return `Error from ${model}: ${failure.message}`;
  if (state === "stopped") return "Answer stopped";
  if (toolCalls.length > 0) return `${model} calls ${toolCalls.map(({ name }) => name).join(", ")}`;
  return `Answer from ${model}: ${content.slice(0, ANNOUNCED_CHARACTERS)}`;
}

/** The request that continues a conversation. */
export const requestBody = (
  { model, systemPrompt, fields }: Pick<RequestOptions, "model" | "systemPrompt" | "fields">,
  turns: readonly Turn[],
): Body["request"] => ({ model, messages: messagesOf(systemPrompt, turns), ...fields }) as unknown as Body["request"];

/** Reads the chunks into the answer, at most once per frame. */
async function readInto(chunks: AsyncIterable<StreamedChunk>, change: (by: (answer: Answer) => Answer) => void) {
  let waiting: StreamedChunk[] = [];
  const flush = () => {
    const batch = waiting;
    waiting = [];
    if (batch.length > 0) change((answer) => batch.reduce(withChunk, answer));
  };
  const timer = setInterval(flush, FRAME_MS);
  try {
    for await (const chunk of chunks) waiting.push(chunk);
  } finally {
    clearInterval(timer);
    flush();
  }
}
const FRAME_MS = 50;

/**
 * A conversation with one model or preset; each request continues it. The tab keeps it; over a reload only as far as the log may
 * show it. Otherwise the browser asks before a reload.
 */
export function useConversation(userId: string | undefined, side: string, onRestored: (systemPrompt: string) => void) {
  const client = useQueryClient();
  const [turns, dispatch] = useReducer(reduce, []);
  const isEmpty = turns.length === 0;
  const restored = useEffectEvent(onRestored);
  useEffect(() => {
    const saved = userId === undefined ? null : savedConversation(userId, side);
    if (!saved) return;
    dispatch({ type: "restore", turns: saved.turns });
    restored(saved.systemPrompt);
  }, [userId, side]);
  useEffect(() => {
    if (userId === undefined || isEmpty) return;
    const onUnload = (event: BeforeUnloadEvent) => {
      const kept = savedConversation(userId, side);
      if (kept && !isSaved(userId, side, kept)) event.preventDefault();
    };
    window.addEventListener("beforeunload", onUnload);
    return () => window.removeEventListener("beforeunload", onUnload);
  }, [userId, side, isEmpty]);
  const running: RefObject<AbortController | null> = useRef(null);
  useEffect(() => () => running.current?.abort(), []);
  const last = turns.at(-1);
  const isBusy = last?.role === "assistant" && (last.state === "waiting" || last.state === "streaming");

  /** Requests the answer to these turns. */
  const ask = async (next: readonly Turn[], options: RequestOptions) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    let answer = NEW_ANSWER;
    const change = (by: (answer: Answer) => Answer) => {
      if (running.current !== controller) return;
      answer = by(answer);
      const shown = answer;
      dispatch({ type: "change", change: () => shown });
    };
    dispatch({ type: "begin", turns: next });
    try {
      const { keyHash, guardrailId, draft } = options;
      const body: Body = {
        key_hash: keyHash,
        ...(guardrailId !== null && { guardrail_id: guardrailId }),
        ...(draft && { draft }),
        request: requestBody(options, next),
      };
      const { generationId, chunks, failure } = await streamChat(body, controller.signal);
      change((current) => ({ ...current, generationId, ...(failure && { failure, state: "failed" as const }) }));
      if (chunks) await readInto(chunks, change);
      change((current) => ({ ...current, state: current.failure ? "failed" : "done" }));
    } catch (error) {
      const isStopped = controller.signal.aborted;
      change((current) => ({
        ...current,
        state: isStopped ? "stopped" : "failed",
        failure: isStopped ? null : toFailure(error),
      }));
    }
    if (running.current !== controller) return;
    announce(spoken(answer, options.model));
    void invalidate(client, listGenerations);
    if (userId === undefined) return;
    const saved = { systemPrompt: options.systemPrompt, turns: [...next, answer] };
    keepInMemory(userId, side, saved);
    const record = answer.generationId === null ? null : await recordOf(answer.generationId);
    if (running.current === controller && record && isShown(record)) saveConversation(userId, side, saved);
  };
  const recordOf = (id: string) =>
    client.query(answeredQuery(id)).then(
      ({ data }) => data,
      () => null,
    );
  return {
    turns,
    isBusy,
    ask: (next: readonly Turn[], options: RequestOptions) => void ask(next, options),
    stop: () => running.current?.abort(),
    clear: () => {
      running.current?.abort();
      running.current = null;
      if (userId !== undefined) forgetConversation(userId, side);
      dispatch({ type: "clear" });
    },
  };
}

export type Conversation = ReturnType<typeof useConversation>;

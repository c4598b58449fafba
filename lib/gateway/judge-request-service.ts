import "server-only";
import type { ExhaustedBudget } from "../engine/budgets/budget-rule";
import type { Layer } from "../engine/policy/layers";
import { chatCompletion, chatStreamEncoder, type ResponseHeader } from "../engine/protocols/chat/stream-encoder";
import type { InferenceRequest } from "../engine/protocols/inference-request";
import { textOf } from "../engine/protocols/message-text";
import type { Caller, Context } from "../platform/context";
import { EventStream } from "../platform/http/event-stream";
import type { CallModel, Judging } from "./checks/check-service";
import { ChatCompletionsBody } from "../engine/protocols/contracts/chat-request-contract";
import type { Presentation } from "./presentation";
import type { GenerationStart } from "./record/generation-start-service";

/** Parts that a judge's request takes from the judged request. */
export interface Judge {
  layers: readonly Layer[];
  /** Called with the budgets that deny it. */
  onExhausted: (budgets: readonly ExhaustedBudget[]) => void;
}

type ChatRequest = InferenceRequest & { protocol: "chat_completions" };
type ChatCompletion = ReturnType<typeof chatCompletion>;

/** Completes a judge's request. It is an argument because the implementation calls judges itself. */
export type CompleteJudgeRequest = (
  context: Context,
  request: ChatRequest,
  present: () => Presentation<ChatCompletion>,
  origin: { judge: Judge },
) => Promise<ChatCompletion | EventStream>;

/** Calls the checks and judges of a key's request and response. */
export const callJudging = (
  context: Context,
  { keyId, userId }: Caller & { kind: "key" },
  { id, trace }: GenerationStart,
  complete: CompleteJudgeRequest,
): Judging => ({
  kind: "call",
  generationId: id,
  keyId,
  userId,
  callModel: modelCaller(context, complete),
  onCalled: (...called) => trace.checked(...called),
});

/** Sends the requests of judges as separate generations, under layers without judges. */
const modelCaller =
  (context: Context, complete: CompleteJudgeRequest): CallModel =>
  async (body, layers, signal) => {
    const client = { ...context.client, endUser: null, wantsMetadata: false };
    const own: Context = { ...context, client, signal, headers: new Headers() };
    const request: ChatRequest = { protocol: "chat_completions", body: ChatCompletionsBody.parse(body) };
    const encoder = (heading: ResponseHeader) => chatStreamEncoder(heading, { includesUsage: false, echo: null });
    let exhausted: readonly ExhaustedBudget[] = [];
    const onExhausted: Judge["onExhausted"] = (budgets) => {
      exhausted = budgets;
    };
    const presentation = { whole: chatCompletion, encoder };
    const answer = await complete(own, request, () => presentation, { judge: { layers, onExhausted } }).catch(
      (error: unknown) => {
        if (exhausted.length === 0) throw error;
        return null;
      },
    );
    if (!answer) return exhausted;
    const content = answer instanceof EventStream ? null : answer.choices[0]?.message.content;
    return textOf(content);
  };

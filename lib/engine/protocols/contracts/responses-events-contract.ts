import { z } from "zod";
import { OutputItem, OutputPart, ResponseObject } from "./responses-result-contract";

const index = z.number().int().min(0);
const item = { item_id: z.string().nullish(), output_index: index };
const part = { ...item, content_index: index };
const summary = { ...item, summary_index: index };
const logprobs = z.array(z.record(z.string(), z.unknown())).nullish();
const delta = { delta: z.string() };
const text = { text: z.string() };
const words = z.looseObject({ type: z.string(), text: z.string() });

const event = <const Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) =>
  z.looseObject({ type: z.literal(type), ...shape });

/** Events of a Responses stream that Signalbox writes or converts; others of an upstream pass through. */
export const ResponseStreamEvent = z.discriminatedUnion("type", [
  event("response.output_item.added", { output_index: index, item: OutputItem }),
  event("response.output_item.done", { output_index: index, item: OutputItem }),
  event("response.content_part.added", { ...part, part: OutputPart }),
  event("response.content_part.done", { ...part, part: OutputPart }),
  event("response.output_text.delta", { ...part, ...delta, logprobs, obfuscation: z.string().nullish() }),
  event("response.output_text.done", { ...part, ...text, logprobs }),
  event("response.output_text.annotation.added", {
    ...part,
    annotation_index: index,
    annotation: z.record(z.string(), z.unknown()),
  }),
  event("response.refusal.delta", { ...part, ...delta }),
  event("response.refusal.done", { ...part, refusal: z.string() }),
  event("response.reasoning_text.delta", { ...part, ...delta }),
  event("response.reasoning_text.done", { ...part, ...text }),
  event("response.reasoning_summary_part.added", { ...summary, part: words }),
  event("response.reasoning_summary_part.done", { ...summary, part: words }),
  event("response.reasoning_summary_text.delta", { ...summary, ...delta }),
  event("response.reasoning_summary_text.done", { ...summary, ...text }),
  event("response.function_call_arguments.delta", { ...item, ...delta }),
  event("response.function_call_arguments.done", { ...item, name: z.string().nullish(), arguments: z.string() }),
  event("response.completed", { response: ResponseObject }),
  event("response.incomplete", { response: ResponseObject }),
]);

/** An event of a streamed response, as Signalbox writes it. Upstreams add events of tools that only they know. */
export const ResponseEvent = z
  .discriminatedUnion("type", [
    ...ResponseStreamEvent.options,
    event("response.created", { response: ResponseObject }),
    event("response.in_progress", { response: ResponseObject }),
    event("response.failed", { response: ResponseObject }),
  ])
  .and(z.looseObject({ sequence_number: index }))
  .meta({ id: "ResponseEvent" });

import { createParser } from "eventsource-parser";
import { ChatChunk, ChatCompletion } from "./chat-result-contract";

/** An upstream's failure inside a stream that had begun well, or an answer that isn't one. */
export class BrokenAnswer extends Error {
  constructor(
    message: string,
    readonly raw: string,
  ) {
    super(message);
    this.name = "BrokenAnswer";
  }
}

/** The chunks of an upstream's answer; an answer that isn't streamed is a single chunk. */
export async function* readAnswer(response: Response): AsyncGenerator<ChatChunk, void> {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    yield oneChunk(await response.text());
    return;
  }
  let isFinished = false;
  for await (const data of sseData(response)) {
    if (data === "[DONE]") return;
    const chunk = parse(ChatChunk, data);
    isFinished ||= chunk.choices.some(({ finish_reason }) => finish_reason);
    yield chunk;
  }
  if (!isFinished) throw new BrokenAnswer("The stream ended in the middle of the answer", "");
}

async function* sseData({ body }: Response): AsyncGenerator<string, void> {
  if (!body) return;
  const ready: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => ready.push(data) });
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    yield* ready.splice(0);
  }
}

function parse<T>(schema: { safeParse: (value: unknown) => { data?: T } }, text: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BrokenAnswer("The answer is not valid JSON", text);
  }
  if (typeof value === "object" && value !== null && "error" in value && value.error) {
    throw new BrokenAnswer("The upstream reported an error", text);
  }
  const { data } = schema.safeParse(value);
  if (!data) throw new BrokenAnswer("The answer is no chat completion", text);
  return data;
}

function oneChunk(text: string): ChatChunk {
  const { choices, usage, ...rest } = parse(ChatCompletion, text);
  return {
    ...rest,
    usage,
    choices: choices.map(({ message, ...choice }) => ({
      ...choice,
      delta: { ...message, tool_calls: message.tool_calls?.map((call, index) => ({ ...call, index })) },
    })),
  };
}

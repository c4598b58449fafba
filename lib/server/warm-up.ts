import "server-only";
import { setImmediate } from "node:timers/promises";
import { ChatCompletionsBody } from "../engine/protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../engine/protocols/contracts/responses-request-contract";
import { validate } from "../platform/http/validate";
import { operations } from "./operations";

const ROUNDS = 4;
const list = (item: object) => Array.from({ length: 500 }, () => item);
const text = { role: "user", content: "Hello" };

/** Prompts of many values, valid and not. */
const PROMPTS = [
  { schema: ChatCompletionsBody, body: { model: "a", messages: list(text) } },
  { schema: ChatCompletionsBody, body: { model: "a", messages: list({}) } },
  { schema: ResponsesBody, body: { model: "a", input: list(text) } },
  { schema: ResponsesBody, body: { model: "a", input: list({ type: "message" }) } },
];

/**
 * Validates examples of every operation, because schemas are compiled at their first use: the first large body would
 * otherwise hold up every other request for hundreds of milliseconds.
 */
export async function warmUpValidation(): Promise<void> {
  for (const { body, example } of operations) {
    if (body) for (const value of [example?.body ?? {}, {}, { "": [] }]) validate(body, value);
    await setImmediate();
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const { schema, body } of PROMPTS) {
      validate(schema, body);
      await setImmediate();
    }
}

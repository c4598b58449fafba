import "server-only";
import { Piscina } from "piscina";
import { encodingOf } from "../../engine/tokens/encoding";
import { tokensOf } from "../../engine/routing/request-size";
import { builtFile } from "../../platform/build-folder.mjs";
import { logger } from "../../platform/logger";
import { ApiError, invalid } from "../../platform/api-error";
import type { DecodeTask, TokenTask } from "./token-worker";
import { processWide } from "../../platform/process-wide";

/** Longer texts are estimated, so that a count never delays its record too long. */
const MOST_CHARACTERS = 1_000_000;
const WITHIN_MS = 3000;
/** Idle time after which a thread ends and frees its vocabulary of 70 MB. */
const IDLE_MS = 20_000;
const MOST_WAITING = 100;

type TokenPool = Piscina<TokenTask | DecodeTask, number | string[]>;

/** The pool starts without a thread, because most installations never need one. */
const pool = processWide(
  "token pool",
  (): TokenPool =>
    new Piscina({
      filename: builtFile("token-worker.mjs"),
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE_MS,
      maxQueue: MOST_WAITING,
      env: {},
    }),
);

/** A number of tokens; `isExact` when the model's tokenizer counted them. */
export interface CountedTokens {
  tokens: number;
  isExact: boolean;
}

/** Counts the tokens of texts with the model's tokenizer if it is public, otherwise estimates them by script. */
export async function countTokens(upstreamModel: string, texts: readonly string[]): Promise<CountedTokens> {
  const encoding = encodingOf(upstreamModel);
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length === 0) return { tokens: 0, isExact: true };
  if (encoding !== null && length <= MOST_CHARACTERS) {
    try {
      const tokens = await pool().run({ encoding, texts }, { signal: AbortSignal.timeout(WITHIN_MS) });
      return { tokens: Number(tokens), isExact: true };
    } catch (err) {
      logger().warn({ err }, "tokens could not be counted; they are estimated");
    }
  }
  return { tokens: tokensOf(texts).expected, isExact: false };
}

/** One text or several, or the tokens of one or several. */
type Texts = string | readonly (string | number | readonly number[])[];

/** Returns the given texts. Token numbers are decoded, because only text can be scanned. */
export async function textsOf(given: Texts, field: "input" | "prompt"): Promise<readonly string[]> {
  if (typeof given === "string") return [given];
  const texts = given.filter((one) => typeof one === "string");
  if (texts.length === given.length) return texts;
  const lists = given.filter((one) => typeof one === "object");
  return decodeTokens(lists.length > 0 ? lists : [given.filter((one) => typeof one === "number")], field);
}

/**
 * Decodes token numbers of cl100k_base, the encoding of OpenAI's embedding models and of clients that send tokens to
 * any model.
 */
async function decodeTokens(tokens: readonly (readonly number[])[], field: "input" | "prompt"): Promise<string[]> {
  const signal = AbortSignal.timeout(WITHIN_MS);
  const task: DecodeTask = { encoding: "cl100k_base", tokens };
  const texts = await pool()
    .run(task, { name: "decodeTask", signal })
    .catch((err: unknown) => {
      logger().warn({ err }, "tokens could not be decoded");
      throw signal.aborted
        ? new ApiError(529, "Tokens can't be decoded right now. Try again later")
        : undecodable(field);
    });
  return texts as string[];
}

const undecodable = (field: string) =>
  invalid([{ path: [field], message: "contains numbers that aren't tokens of cl100k_base" }]);

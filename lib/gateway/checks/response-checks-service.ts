import "server-only";
import { checkDenial, type CheckResult } from "../../engine/checks/check-result";
import { heldResponse } from "../../engine/checks/held-response";
import { ResponseBlocked, tooLongToHold } from "../../engine/filters/response-blocked";
import type { Leaf } from "../../engine/filters/leaves";
import { checkIdentity, type CheckRule } from "../../engine/policy/check-rules";
import type { Layer } from "../../engine/policy/layers";
import { MAX_ANSWER_CHARACTERS } from "../../engine/protocols/accumulate";
import type { ResponseChunk } from "../../engine/protocols/response-chunk";
import type { InferenceRequest } from "../../engine/protocols/inference-request";
import { ApiError } from "../../platform/api-error";
import type { Context } from "../../platform/context";
import { runChecks, type Judging } from "./check-service";

/** Maximum number of characters that checks judge in a response; a longer response is blocked. */
const MAX_JUDGED = 1024 * 1024;

interface ResponseChecksSettings {
  rules: readonly CheckRule[];
  layers: readonly Layer[];
  protocol: InferenceRequest["protocol"];
  judging: Judging;
}

/** Holds back a response until its checks have judged it. */
export class ResponseChecks {
  /** Verdicts; empty until the response is complete. */
  results: readonly CheckResult[] = [];
  /** Duration of the checks in milliseconds. */
  ms = 0;

  constructor(
    private readonly context: Context,
    private readonly settings: ResponseChecksSettings,
  ) {}

  /**
   * Returns the chunks with the replacements of the checks. Throws `ResponseBlocked` when a check blocks the response.
   * @param model The model that responds.
   */
  async *apply(chunks: AsyncIterable<ResponseChunk>, model: string): AsyncGenerator<ResponseChunk, void> {
    const given: ResponseChunk[] = [];
    let size = 0;
    for await (const chunk of chunks) {
      given.push(chunk);
      size += JSON.stringify(chunk.responseEvent ?? chunk.messageEvent ?? chunk).length;
      if (size > MAX_ANSWER_CHARACTERS) throw tooLong(MAX_ANSWER_CHARACTERS);
    }
    const held = heldResponse(given);
    const judged = held.leaves.filter(({ form }) => form !== "media").reduce((sum, { text }) => sum + text.length, 0);
    if (judged > MAX_JUDGED) throw tooLong(MAX_JUDGED);
    yield* held.written(await this.#judge(held.leaves, model));
  }

  async #judge(given: readonly Leaf[], model: string): Promise<readonly Leaf[]> {
    const { rules, layers, protocol, judging } = this.settings;
    if (given.length === 0) {
      this.results = rules.map((rule) => ({ rule, identity: checkIdentity(rule), ...ALLOWED }));
      return given;
    }
    const start = performance.now();
    const { results, value } = await runChecks<readonly Leaf[]>(
      this.context,
      { rules, layers },
      {
        direction: "response",
        protocol,
        models: [model],
        value: given,
        leavesOf: (leaves) => leaves,
        write: (leaves, texts) => leaves.map((leaf) => ({ ...leaf, text: texts.get(leaf) ?? leaf.text })),
      },
      judging,
    ).finally(() => (this.ms = performance.now() - start));
    this.results = results;
    const denial = checkDenial(results, "response");
    if (denial) throw new ResponseBlocked(denial.error, denial.status === "failed" ? "failed" : "blocked");
    return value;
  }
}

const ALLOWED = { verdict: "allow", reason: null, spans: [] } as const;

const tooLong = (characters: number) =>
  new ResponseBlocked(new ApiError(403, tooLongToHold(characters), { reason: "external_check_size" }));

import { MAX_CALL_ID, shortCallId } from "../call-id";
import type { FieldPath, Refuse } from "../field-rules";

/**
 * Pairs tool calls with their results as the API requires: results follow the answer with the calls, and ids are unique
 * and of certain characters.
 */
export class CallIds {
  /** Calls without a result, by the caller's id. */
  readonly #open = new Map<string, { sent: string; path: FieldPath }>();
  readonly #sent = new Set<string>();

  /** Returns the id that is sent for a call. */
  call(id: string, path: FieldPath, refuse: Refuse): string {
    if (this.#open.has(id)) refuse([...path, "id"], "must be unique among the tool calls of a message");
    const plain = shortCallId(id.replaceAll(/[^a-zA-Z0-9_-]/g, "_") || "call", MAX_CALL_ID);
    let sent = plain;
    for (let count = 2; this.#sent.has(sent); count++) sent = `${plain}_${count}`;
    this.#sent.add(sent);
    this.#open.set(id, { sent, path });
    return sent;
  }

  /** Returns the id that was sent for the call of a result. */
  result(id: string, path: FieldPath, refuse: Refuse): string {
    const call = this.#open.get(id);
    if (!call)
      refuse(
        [...path, "tool_call_id"],
        "must be the id of a tool call of the preceding assistant message that has no other result",
      );
    this.#open.delete(id);
    return call?.sent ?? id;
  }

  /** Refuses calls that have no result before the next answer. */
  close(refuse: Refuse): void {
    for (const { path } of this.#open.values()) refuse(path, "must be followed by a message with its result");
    this.#open.clear();
  }
}

import { useEffect, useRef, useState, type SubmitEvent } from "react";
import { cn } from "@/components/ui/class-names";
import { CodeBlock } from "@/components/ui/code-block";
import { Field } from "@/components/form/field";
import { Button } from "@/components/ui/button";
import { Textarea } from "@/components/ui/input";
import { AnswerRecord } from "./answer-record";
import { AnswerView, UserTurn } from "./answer-view";
import { SEND_HINT } from "./composer";
import { openCalls, type Turn, type ToolCall } from "./conversation";
import type { Conversation } from "./use-conversation";

interface ThreadProps {
  /** The model or preset that answers. */
  title: string;
  conversation: Conversation;
  systemPrompt: string;
  /** True to show the records beside the answers instead of below. */
  isWide: boolean;
  canSend: boolean;
  onEdit: (number: number, content: string) => void;
  onRetry: () => void;
  onResults: (results: readonly Turn[]) => void;
}

/** A conversation with the record of each answer. */
export function Thread({
  title,
  conversation: { turns, isBusy },
  systemPrompt,
  isWide,
  canSend,
  onEdit,
  onRetry,
  onResults,
}: ThreadProps) {
  const calls = openCalls(turns);
  const place = useRef<HTMLLIElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: "nearest" });
  }, [turns.length, isBusy]);
  const numberOf = (index: number) => turns.slice(0, index).filter(({ role }) => role === "user").length;
  return (
    <section aria-label={`Conversation with ${title}`} aria-busy={isBusy} className="grid min-w-0 content-start gap-4">
      <ol className="grid gap-4">
        {turns.map((turn, index) => (
          <li
            key={index}
            ref={index === turns.length - 1 ? place : null}
            className="min-w-0 scroll-mt-18 scroll-mb-6 lg:scroll-mb-52"
          >
            {turn.role === "user" ? (
              <UserTurn
                content={turn.content}
                isDisabled={isBusy || !canSend}
                onEdit={(content) => onEdit(numberOf(index), content)}
              />
            ) : turn.role === "tool" ? (
              <CodeBlock label={`Result of ${nameOf(turns, turn.toolCallId)}`} text={turn.content} wraps />
            ) : (
              <div className={cn("grid gap-4", isWide && "xl:grid-cols-[minmax(0,1fr)_24rem]")}>
                <AnswerView answer={turn} onRetry={index === turns.length - 1 && !isBusy && canSend ? onRetry : null} />
                {turn.generationId !== null && turn.state !== "waiting" && turn.state !== "streaming" && (
                  <AnswerRecord
                    key={turn.generationId}
                    id={turn.generationId}
                    turns={turns.slice(0, index)}
                    systemPrompt={systemPrompt}
                  />
                )}
              </div>
            )}
          </li>
        ))}
      </ol>
      {calls.length > 0 && (
        <ToolResults
          key={calls.map(({ id }) => id).join()}
          calls={calls}
          isDisabled={isBusy || !canSend}
          onSend={onResults}
        />
      )}
    </section>
  );
}

const nameOf = (turns: readonly Turn[], id: string): string =>
  turns.flatMap((turn) => (turn.role === "assistant" ? turn.toolCalls : [])).find((call) => call.id === id)?.name ??
  "function";

interface ToolResultsProps {
  calls: readonly ToolCall[];
  isDisabled: boolean;
  onSend: (results: readonly Turn[]) => void;
}

/** Form for the results of function calls, which continue the conversation. */
function ToolResults({ calls, isDisabled, onSend }: ToolResultsProps) {
  const [results, setResults] = useState<Readonly<Record<string, string>>>({});
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSend(calls.map(({ id }) => ({ role: "tool" as const, toolCallId: id, content: results[id] ?? "" })));
  };
  return (
    <form onSubmit={submit} className="grid gap-3 rounded-md border border-dashed p-3">
      {calls.map(({ id, name }) => (
        <Field key={id} label={`Result of ${name}`} errors={[]}>
          {(control) => (
            <Textarea
              {...control}
              rows={2}
              className="font-mono text-[13px]"
              placeholder='{"temperature": 21}'
              value={results[id] ?? ""}
              onChange={({ target }) => setResults({ ...results, [id]: target.value })}
            />
          )}
        </Field>
      ))}
      <Button type="submit" size="sm" className="justify-self-start" disabled={isDisabled} aria-describedby={SEND_HINT}>
        Send results
      </Button>
    </form>
  );
}

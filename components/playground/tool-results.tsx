import { useState, type SubmitEvent } from "react";
import { Field } from "@/components/form/field";
import { Button } from "@/components/ui/button";
import { Textarea } from "@/components/ui/input";
import type { ToolCall, Turn } from "./conversation";

interface ToolResultsProps {
  calls: readonly ToolCall[];
  isDisabled: boolean;
  onSend: (results: readonly Turn[]) => void;
}

/** Takes the results of the functions that a model called, and continues with them. */
export function ToolResults({ calls, isDisabled, onSend }: ToolResultsProps) {
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
      <Button type="submit" size="sm" className="justify-self-start" disabled={isDisabled}>
        Send results
      </Button>
    </form>
  );
}

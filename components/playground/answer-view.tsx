import { Pencil, RotateCcw } from "lucide-react";
import { useRef, useState, type SubmitEvent } from "react";
import { flushSync } from "react-dom";
import { FailureAlert } from "@/components/form/failure-alert";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { Textarea } from "@/components/ui/input";
import { Markdown } from "@/components/ui/markdown";
import { ApiFailure } from "@/lib/browser/api-failure";
import { SEND_HINT } from "./composer";
import type { Answer, ToolCall } from "./conversation";

/** Formats JSON on several lines; returns other texts unchanged. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const isJson = (text: string) => /^\s*[{[]/.test(text) && pretty(text) !== text;

/** A model's answer, as Markdown or JSON, with its tool calls. */
export function AnswerView({ answer, onRetry }: { answer: Answer; onRetry: (() => void) | null }) {
  const { state, content, reasoning, toolCalls, failure } = answer;
  return (
    <div className="grid min-w-0 content-start gap-3">
      <div className="flex min-h-7 items-center gap-2">
        <h3 className="text-[13px] font-medium">Assistant</h3>
        {state === "waiting" && <span className="text-[13px] text-muted">Waiting for the answer…</span>}
        {state === "streaming" && <span className="text-[13px] text-muted">Answering…</span>}
        {state === "stopped" && <Badge>Stopped</Badge>}
        <div className="ml-auto flex items-center gap-1 text-muted">
          {content !== "" && <CopyButton text={content} label="Copy answer" />}
          {onRetry && (
            <Button variant="ghost" size="icon-sm" aria-label="Try again" onClick={onRetry}>
              <RotateCcw aria-hidden />
            </Button>
          )}
        </div>
      </div>
      {reasoning !== "" && (
        <details className="text-[13px]">
          <summary className="cursor-pointer text-muted">Reasoning</summary>
          <p className="mt-1.5 whitespace-pre-wrap text-muted wrap-anywhere">{reasoning}</p>
        </details>
      )}
      {content !== "" &&
        (state !== "streaming" && isJson(content) ? (
          <CodeBlock label="Answer" text={pretty(content)} wraps />
        ) : (
          <div role="group" aria-label="Answer">
            <Markdown text={content} />
          </div>
        ))}
      {toolCalls.map((call) => (
        <ToolCallView key={call.id} call={call} />
      ))}
      {failure && <Failed failure={failure} />}
    </div>
  );
}

const FORBIDDEN = 403;

function Failed({ failure: { status, message, issues, requestId } }: { failure: NonNullable<Answer["failure"]> }) {
  if (status === FORBIDDEN) return <Alert kind="warning" title={message} />;
  return <FailureAlert failure={new ApiFailure(status, message, requestId, { issues })} />;
}

function ToolCallView({ call }: { call: ToolCall }) {
  return (
    <div className="grid gap-1.5">
      <p className="text-[13px]">
        Calls <code className="font-mono font-medium">{call.name}</code>
      </p>
      <CodeBlock label={`Arguments of ${call.name}`} text={pretty(call.arguments)} wraps />
    </div>
  );
}

interface UserTurnProps {
  content: string;
  isDisabled: boolean;
  /** Sends the changed message again and drops later turns. */
  onEdit: (content: string) => void;
}

export function UserTurn({ content, isDisabled, onEdit }: UserTurnProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const editButton = useRef<HTMLButtonElement>(null);
  // The button may have focus before the request disables it.
  const close = () => {
    flushSync(() => setDraft(null));
    editButton.current?.focus();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (draft === null || draft.trim() === "") return;
    close();
    onEdit(draft);
  };
  return (
    <div className="grid min-w-0 gap-1.5">
      <div className="flex min-h-7 items-center gap-2">
        <h3 className="text-[13px] font-medium">You</h3>
        {draft === null && (
          <Button
            ref={editButton}
            variant="ghost"
            size="icon-sm"
            aria-label="Edit message"
            className="ml-auto text-muted"
            disabled={isDisabled}
            aria-describedby={isDisabled ? SEND_HINT : undefined}
            onClick={() => setDraft(content)}
          >
            <Pencil aria-hidden />
          </Button>
        )}
      </div>
      {draft === null ? (
        <p className="rounded-md bg-subtle px-3 py-2 whitespace-pre-wrap wrap-anywhere">{content}</p>
      ) : (
        <form onSubmit={submit} className="grid gap-2">
          <Textarea
            autoFocus
            aria-label="Edited message"
            rows={3}
            value={draft}
            onChange={({ target }) => setDraft(target.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") close();
            }}
          />
          <div className="flex justify-end gap-2">
            <Button size="sm" onClick={close}>
              Cancel
            </Button>
            <Button size="sm" type="submit" variant="primary" disabled={draft.trim() === "" || isDisabled}>
              Send again
            </Button>
          </div>
        </form>
      )}
    </div>
  );
}

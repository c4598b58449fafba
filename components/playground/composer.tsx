import { CornerDownLeft, Square } from "lucide-react";
import { useId, useState, type SubmitEvent } from "react";
import { Button } from "@/components/ui/button";
import { Textarea } from "@/components/ui/input";
import { Kbd } from "@/components/ui/kbd";

interface ComposerProps {
  isBusy: boolean;
  /** Reason that nothing can be sent; null if something can. */
  obstacle: string | null;
  onSend: (text: string) => void;
  onStop: () => void;
}

/** Id of the text that says why nothing can be sent. */
export const SEND_HINT = "playground-send-hint";

/** The next message. Cmd/Ctrl+Enter sends it. */
export function Composer({ isBusy, obstacle, onSend, onStop }: ComposerProps) {
  const id = useId();
  const [text, setText] = useState("");
  const canSend = text.trim() !== "" && obstacle === null && !isBusy;
  const send = () => {
    if (!canSend) return;
    onSend(text);
    setText("");
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    send();
  };
  return (
    <form onSubmit={submit} className="grid gap-2 rounded-lg border bg-surface p-3 shadow-sm">
      <label htmlFor={id} className="text-[13px] font-medium">
        Message
      </label>
      <Textarea
        id={id}
        rows={3}
        value={text}
        aria-describedby={SEND_HINT}
        placeholder="Ask something"
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey) || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p id={SEND_HINT} className="text-[13px] text-muted">
          {obstacle ?? (
            <>
              {isBusy ? "Wait for the answer, or stop it. " : text.trim() === "" && "Write a message to send it. "}
              <span className="max-sm:hidden">
                <Kbd>Ctrl</Kbd> or <Kbd>Cmd</Kbd> + <Kbd>Enter</Kbd> sends.{" "}
              </span>
              Requests are charged and logged.
            </>
          )}
        </p>
        {isBusy ? (
          <Button onClick={onStop}>
            <Square aria-hidden /> Stop
          </Button>
        ) : (
          <Button type="submit" variant="primary" disabled={!canSend} aria-describedby={SEND_HINT}>
            <CornerDownLeft aria-hidden /> Send
          </Button>
        )}
      </div>
    </form>
  );
}

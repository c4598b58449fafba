import { useId } from "react";
import { Textarea } from "@/components/ui/input";
import type { Message } from "./test-request";

const ONE_ROWS = 4;
const MANY_ROWS = 2;

/** Text fields for a prompt, or for each message of a stored one. */
export function MessageFields({
  messages,
  onChange,
}: {
  messages: readonly Message[];
  onChange: (messages: Message[]) => void;
}) {
  const id = useId();
  const isOne = messages.length === 1;
  return (
    <div className="grid max-h-80 gap-3 overflow-y-auto">
      {messages.map((message, index) => (
        <div key={index} className="grid gap-1.5">
          <label htmlFor={`${id}-${index}`} className="text-[13px] font-medium">
            {isOne ? "Prompt" : `Message ${index + 1}, ${message.role}`}
          </label>
          <Textarea
            id={`${id}-${index}`}
            rows={isOne ? ONE_ROWS : MANY_ROWS}
            placeholder="Paste a prompt"
            value={message.content}
            onChange={({ target }) =>
              onChange(
                messages.map((other, position) => (position === index ? { ...other, content: target.value } : other)),
              )
            }
          />
        </div>
      ))}
    </div>
  );
}

import { useId } from "react";
import { Field } from "@/components/form/field";
import { Textarea } from "@/components/ui/input";
import { Segmented } from "@/components/ui/segmented";
import { SuggestedInput } from "@/components/ui/suggested-input";
import { StoredPrompts } from "./test-panel-stored";
import type { Message, Protocol } from "./test-request";

export interface TestRequest {
  protocol: Protocol;
  /** Null for the catalogue's first model. */
  model: string | null;
  messages: readonly Message[];
  answer: string;
}

export const NEW_REQUEST: TestRequest = {
  protocol: "responses",
  model: null,
  messages: [{ role: "user", content: "" }],
  answer: "",
};

const ANSWER_ROWS = 2;
const PROTOCOL_OPTIONS = [
  { value: "responses", label: "Responses" },
  { value: "chat_completions", label: "Chat Completions" },
  { value: "messages", label: "Messages" },
] as const;

interface TestRequestFieldsProps {
  value: TestRequest;
  /** The model of the request, or the one used without a choice. */
  model: string;
  models: readonly { slug: string; name: string }[];
  onChange: (changes: Partial<TestRequest>) => void;
}

/** Fields for a request to check and for a response to it. */
export function TestRequestFields({ value, model, models, onChange }: TestRequestFieldsProps) {
  return (
    <>
      <MessageFields messages={value.messages} onChange={(messages) => onChange({ messages })} />
      <StoredPrompts onPick={onChange} />
      <Field label="Model" errors={[]}>
        {(control) => (
          <SuggestedInput
            {...control}
            suggestions={models.map(({ slug, name }) => ({ value: slug, label: name }))}
            value={model}
            className="font-mono text-[13px]"
            onChange={({ target }) => onChange({ model: target.value })}
          />
        )}
      </Field>
      <Field label="Response (optional)" hint="Checked by filters and checks of responses." errors={[]}>
        {(control) => (
          <Textarea
            {...control}
            rows={ANSWER_ROWS}
            placeholder="Paste a model’s response"
            value={value.answer}
            onChange={({ target }) => onChange({ answer: target.value })}
          />
        )}
      </Field>
      <div className="grid gap-1.5">
        <span aria-hidden className="text-[13px] font-medium">
          Protocol
        </span>
        <Segmented
          label="Protocol"
          value={value.protocol}
          onValueChange={(protocol) => onChange({ protocol })}
          options={PROTOCOL_OPTIONS}
          isWide
        />
      </div>
    </>
  );
}

const ONE_ROWS = 4;
const MANY_ROWS = 2;

/** Text fields for a prompt, or for each message of a stored one. */
function MessageFields({
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

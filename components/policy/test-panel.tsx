"use client";
import { useQuery } from "@tanstack/react-query";
import { useId, useState, type ReactNode } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { SaveAsTest } from "@/components/policy-tests/save-as-test";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Input, Textarea } from "@/components/ui/input";
import { Reveal } from "@/components/ui/reveal";
import { Segmented } from "@/components/ui/segmented";
import { announce } from "@/lib/browser/announce";
import { toFailure } from "@/lib/browser/api-failure";
import { MessageFields } from "./test-panel-messages";
import { modelListQuery, useCheck, type CheckBody } from "./test-panel-queries";
import { OUTCOMES, TestPanelResult } from "./test-panel-result";
import { StoredPrompts } from "./test-panel-stored";
import { requestOf, type Message, type Protocol } from "./test-request";

interface TestPanelProps {
  /** Fields of an unsaved guardrail. */
  draft?: NonNullable<CheckBody["guardrails"]>[number];
  /** ID of the saved guardrail to check when there is no draft. */
  guardrailId?: string | undefined;
  /** The saved guardrail that a checked prompt can be added to as a test. */
  testGuardrail?: { id: string; name: string } | null;
  workspaceId?: string | undefined;
  keyHash?: string | undefined;
  userId?: string | undefined;
  action?: ReactNode;
}

const ANSWER_ROWS = 2;
const PROTOCOL_OPTIONS = [
  { value: "responses", label: "Responses" },
  { value: "chat_completions", label: "Chat Completions" },
  { value: "messages", label: "Messages" },
] as const;

/** A single user message is edited as a plain prompt. */
const testOf = ({ request, protocol = "responses", answer }: CheckBody, [only, ...others]: readonly Message[]) => ({
  answer: answer ?? null,
  ...(only && others.length === 0
    ? { protocol: "responses" as const, request: { model: request["model"], input: only.content } }
    : { protocol, request }),
});

/** Checks a prompt against policy without calling a model or logging. */
export function TestPanel({ draft, guardrailId, testGuardrail, workspaceId, keyHash, userId, action }: TestPanelProps) {
  const { data: models } = useQuery(modelListQuery);
  const [model, setModel] = useState<string | null>(null);
  const [protocol, setProtocol] = useState<Protocol>("responses");
  const [messages, setMessages] = useState<readonly Message[]>([{ role: "user", content: "" }]);
  const [answer, setAnswer] = useState("");
  const [checked, setChecked] = useState<{ body: CheckBody; messages: readonly Message[] } | null>(null);
  const check = useCheck();
  const modelId = useId();
  const answerId = useId();
  const chosenModel = model ?? models?.data[0]?.slug ?? "";
  const tried = draft ?? (guardrailId === undefined ? undefined : { id: guardrailId });
  const body: CheckBody = {
    request: requestOf(protocol, chosenModel, messages),
    protocol,
    ...(tried && { guardrails: [tried] }),
    ...(answer !== "" && { answer }),
    ...(keyHash === undefined ? { workspace_id: workspaceId, user_id: userId } : { key_hash: keyHash }),
  };
  const isOutdated = checked !== null && JSON.stringify(checked.body) !== JSON.stringify(body);
  const run = () => {
    setChecked({ body, messages });
    check.mutate(body, {
      onSuccess: ({ outcome, message }) => announce(`${OUTCOMES[outcome].title}. ${message ?? ""}`),
    });
  };
  return (
    <Card
      id="try-it"
      title="Try it"
      description="Checks a prompt and a response without calling a model or logging."
      action={action}
      className="grid gap-3"
    >
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <MessageFields messages={messages} onChange={setMessages} />
        <StoredPrompts
          onPick={(picked) => {
            setMessages(picked.messages);
            setModel(picked.model);
            setProtocol(picked.protocol);
          }}
        />
        <div className="grid gap-1.5">
          <label htmlFor={modelId} className="text-[13px] font-medium">
            Model
          </label>
          <Input
            id={modelId}
            list={`${modelId}-known`}
            value={chosenModel}
            autoComplete="off"
            spellCheck={false}
            className="font-mono text-[13px]"
            onChange={({ target }) => setModel(target.value)}
          />
          <datalist id={`${modelId}-known`}>
            {models?.data.map(({ slug, name }) => (
              <option key={slug} value={slug}>
                {name}
              </option>
            ))}
          </datalist>
        </div>
        <div className="grid gap-1.5">
          <label htmlFor={answerId} className="text-[13px] font-medium">
            Response (optional)
          </label>
          <Textarea
            id={answerId}
            aria-describedby={`${answerId}-hint`}
            rows={ANSWER_ROWS}
            placeholder="Paste a model’s response"
            value={answer}
            onChange={({ target }) => setAnswer(target.value)}
          />
          <p id={`${answerId}-hint`} className="text-[13px] text-muted">
            Checked by filters and checks of responses.
          </p>
        </div>
        <div className="grid gap-1.5">
          <span aria-hidden className="text-[13px] font-medium">
            Protocol
          </span>
          <Segmented label="Protocol" value={protocol} onValueChange={setProtocol} options={PROTOCOL_OPTIONS} isWide />
        </div>
        <Button
          type="submit"
          className="justify-self-end"
          disabled={check.isPending || messages.every(({ content }) => content === "")}
        >
          {checked === null ? "Check prompt" : "Check again"}
        </Button>
      </form>
      {check.error && <FailureAlert failure={toFailure(check.error)} />}
      {check.data && checked && (
        <Reveal>
          {isOutdated && (
            <p className="text-[13px] text-warning">The draft, prompt or response has changed since this check.</p>
          )}
          <TestPanelResult check={check.data} messages={checked.messages} answer={checked.body.answer ?? null} />
          {testGuardrail && (
            <SaveAsTest guardrail={testGuardrail} request={testOf(checked.body, checked.messages)} check={check.data} />
          )}
        </Reveal>
      )}
    </Card>
  );
}

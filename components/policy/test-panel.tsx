"use client";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { SaveAsTest } from "@/components/policy-tests/save-as-test";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FoldedCard } from "@/components/ui/folded-card";
import { Reveal } from "@/components/ui/reveal";
import { announce } from "@/lib/browser/announce";
import { toFailure } from "@/lib/browser/api-failure";
import { modelListQuery, useCheck, type CheckBody } from "./test-panel-queries";
import { OUTCOMES, TestPanelResult } from "./test-panel-result";
import { requestOf, type Message } from "./test-request";
import { NEW_REQUEST, TestRequestFields, type TestRequest } from "./test-request-fields";

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

/** A single user message is edited as a plain prompt. */
const testOf = ({ request, protocol = "responses", answer }: CheckBody, [only, ...others]: readonly Message[]) => ({
  answer: answer ?? null,
  ...(only && others.length === 0
    ? { protocol: "responses" as const, request: { model: request["model"], input: only.content } }
    : { protocol, request }),
});

const HEADING = {
  id: "try-it",
  title: "Try it",
  description: "Checks a prompt and a response without calling a model or logging.",
  className: "grid gap-3",
};

/** Checks a prompt against policy without calling a model or logging. Closed at first on the page of a key or member. */
export function TestPanel({ draft, guardrailId, testGuardrail, workspaceId, keyHash, userId, action }: TestPanelProps) {
  const [request, setRequest] = useState<TestRequest>(NEW_REQUEST);
  const { protocol, messages, answer } = request;
  const { data: models } = useQuery(modelListQuery);
  const model = request.model ?? models?.data[0]?.slug ?? "";
  const [checked, setChecked] = useState<{ body: CheckBody; messages: readonly Message[] } | null>(null);
  const check = useCheck();
  const tried = draft ?? (guardrailId === undefined ? undefined : { id: guardrailId });
  const body: CheckBody = {
    request: requestOf(protocol, model, messages),
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
  const panel = (
    <>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <TestRequestFields
          value={request}
          model={model}
          models={models?.data ?? []}
          onChange={(changes) => setRequest({ ...request, ...changes })}
        />
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
    </>
  );
  return (keyHash ?? userId) === undefined ? (
    <Card {...HEADING} action={action}>
      {panel}
    </Card>
  ) : (
    <FoldedCard {...HEADING}>{panel}</FoldedCard>
  );
}

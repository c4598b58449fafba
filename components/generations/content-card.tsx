"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { useMay } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { lazyComponent } from "@/components/ui/lazy-component";
import { Segmented } from "@/components/ui/segmented";
import { Skeleton } from "@/components/ui/skeleton";
import { toFailure } from "@/lib/browser/api-failure";
import type { GenerationContent } from "@/lib/features/content-access/contract";
import type { Generation } from "@/lib/records/generations/contract";
import { AbsentContent, absenceOf } from "./absent-content";
import { generationContentQuery } from "./generation-queries";
import { MaskedNotice } from "./masked-notice";
import { MessagePart } from "./message-part";
import { redactedSpans, revealedSpans } from "./redactions";
import { StoredErrorPanel } from "./stored-error-panel";

const TestFromGeneration = lazyComponent(() =>
  import("@/components/policy-tests/test-from-generation").then((file) => file.TestFromGeneration),
);

/** Status if content couldn't be scanned for personal data, so it isn't masked. */
const COULD_NOT_MASK = 503;

const LOOKS = [
  { value: "text", label: "Text" },
  { value: "markdown", label: "Markdown" },
] as const;
type Look = (typeof LOOKS)[number]["value"];

/** Stored prompt, completion and error, as sent upstream after redaction. Rendered inert: the text is untrusted. */
export function ContentCard({ generation }: { generation: Generation }) {
  const canRead = useMay("contents:read");
  const content = useQuery({
    ...generationContentQuery(generation.id),
    enabled: canRead,
    select: ({ data }) => data,
  });
  const [look, setLook] = useState<Look>("text");
  const [revealed, setRevealed] = useState<{ id: string; content: GenerationContent } | null>(null);
  const whole = revealed?.id === generation.id ? revealed.content : null;
  const failure = content.error && toFailure(content.error);
  const couldNotMask = failure?.status === COULD_NOT_MASK;
  const reveal = (shown: GenerationContent | null) => setRevealed(shown && { id: generation.id, content: shown });
  const absent = failure && absenceOf(failure.metadata);
  return (
    <Card
      id="content"
      title="Content"
      action={content.data && <Segmented label="Display as" value={look} onValueChange={setLook} options={LOOKS} />}
      className="grid gap-4"
    >
      {(content.data?.masked ?? couldNotMask) && (
        <MaskedNotice
          generation={generation}
          masked={content.data?.masked}
          isRevealed={whole !== null}
          onReveal={reveal}
        />
      )}
      {!canRead ? (
        <p className="text-muted">
          {generation.content_stored
            ? "You need the permission contents:read to read stored prompts and completions."
            : "The prompt and completion weren’t stored."}
        </p>
      ) : absent ? (
        <AbsentContent absence={absent} />
      ) : whole ? (
        <Conversation content={whole} masked={content.data} generation={generation} isMarkdown={look === "markdown"} />
      ) : couldNotMask ? null : (
        <DataState query={content} subject="this generation's content" skeleton={<Skeleton className="h-40" />}>
          {(data) => <Conversation content={data} generation={generation} isMarkdown={look === "markdown"} />}
        </DataState>
      )}
      {generation.status === "blocked" && content.data && <BlockedActions generation={generation} content={whole} />}
    </Card>
  );
}

/** Turns a false positive into a test; revealed content makes the test exact. */
function BlockedActions({ generation, content }: { generation: Generation; content: GenerationContent | null }) {
  const canTest = useMay("guardrails:write");
  const [isOpen, setOpen] = useState(false);
  if (!canTest) return null;
  return (
    <>
      <Button size="sm" className="justify-self-start" onClick={() => setOpen(true)}>
        Create policy test…
      </Button>
      {isOpen && <TestFromGeneration generation={generation} content={content} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Heading of a message. Texts of text completions and embeddings are stored as user messages. */
const titleOf = (protocol: Generation["protocol"], role: string): string =>
  (role === "user" && { completions: "Prompt", embeddings: "Input" }[protocol as string]) || role;

function Conversation({
  content: { input, output, error },
  masked,
  generation,
  isMarkdown,
}: {
  content: GenerationContent;
  /** The same content with labels in place of matches, when `content` is revealed. */
  masked?: GenerationContent | undefined;
  generation: Generation;
  isMarkdown: boolean;
}) {
  const texts = input.messages.map(({ content }) => content);
  const spans = masked
    ? revealedSpans(
        generation.decisions,
        masked.input.messages.map(({ content }) => content),
        texts,
      )
    : redactedSpans(generation.decisions, texts);
  const { protocol } = generation;
  const toolCalls = (calls: unknown) =>
    Array.isArray(calls) && calls.length > 0 ? (
      <MessagePart title="Tool calls" text={JSON.stringify(calls, null, 2)} isCode />
    ) : null;
  return (
    <>
      {error && <StoredErrorPanel error={error} />}
      <ol className="grid gap-4">
        {input.messages.map((message, index) => (
          <li key={index} className="grid gap-2">
            <MessagePart
              title={titleOf(protocol, message.role)}
              text={message.content}
              spans={spans[index]}
              isMarkdown={isMarkdown}
            />
            {toolCalls(message["tool_calls"])}
          </li>
        ))}
      </ol>
      {output.reasoning !== null && output.reasoning !== "" && (
        <MessagePart title="Reasoning" text={output.reasoning} isMarkdown={isMarkdown} />
      )}
      {protocol !== "embeddings" && (output.completion !== "" || !error) && (
        <MessagePart title="Completion" text={output.completion} isMarkdown={isMarkdown} />
      )}
      {toolCalls(output.tool_calls)}
      {output.choices && <MessagePart title="Further choices" text={JSON.stringify(output.choices, null, 2)} isCode />}
    </>
  );
}

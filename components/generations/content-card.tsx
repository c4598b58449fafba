"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { Card } from "@/components/ui/card";
import { Segmented } from "@/components/ui/segmented";
import { Skeleton } from "@/components/ui/skeleton";
import { toFailure } from "@/lib/browser/api-failure";
import type { GenerationContent } from "@/lib/features/content-access/contract";
import type { Generation } from "@/lib/records/generations/contract";
import { generationContentQuery } from "./generation-queries";
import { MaskedNotice } from "./masked-notice";
import { MessagePart } from "./message-part";
import { redactedSpans } from "./redactions";
import { StoredErrorPanel } from "./stored-error-panel";

const ABSENT: Readonly<Record<string, string>> = {
  content_not_stored:
    "The prompt and completion weren't stored: the request never reached a provider, or content logging was off in the workspace.",
  content_expired: "The prompt and completion were deleted or their retention period ended.",
};

/** Status of content that couldn't be scanned for personal data, and therefore not masked. */
const COULD_NOT_MASK = 503;

const LOOKS = [
  { value: "text", label: "Text" },
  { value: "markdown", label: "Markdown" },
] as const;
type Look = (typeof LOOKS)[number]["value"];

/** Stored prompt, completion and error, as sent upstream after redaction. Rendered inert: the text is untrusted. */
export function ContentCard({ generation }: { generation: Generation }) {
  const wasSent = generation.content_stored || generation.attempts.length > 0;
  const content = useQuery({ ...generationContentQuery(generation.id), enabled: wasSent, select: ({ data }) => data });
  const [look, setLook] = useState<Look>("text");
  const [revealed, setRevealed] = useState<{ id: string; content: GenerationContent } | null>(null);
  const whole = revealed?.id === generation.id ? revealed.content : null;
  const couldNotMask = content.error !== null && toFailure(content.error).status === COULD_NOT_MASK;
  const reveal = (shown: GenerationContent | null) => setRevealed(shown && { id: generation.id, content: shown });
  const reason = wasSent ? content.error && String(toFailure(content.error).metadata["reason"]) : "content_not_stored";
  const absent = reason === null ? undefined : ABSENT[reason];
  return (
    <Card
      id="content"
      title="Content"
      action={content.data && <Segmented label="Display as" value={look} onValueChange={setLook} options={LOOKS} />}
      className="grid gap-4"
    >
      {(content.data?.masked ?? couldNotMask) && (
        <MaskedNotice id={generation.id} masked={content.data?.masked} isRevealed={whole !== null} onReveal={reveal} />
      )}
      {absent ? (
        <p className="text-muted">{absent}</p>
      ) : whole ? (
        <Conversation content={whole} generation={generation} isMarkdown={look === "markdown"} />
      ) : couldNotMask ? null : (
        <DataState query={content} subject="this generation's content" skeleton={<Skeleton className="h-40" />}>
          {(data) => <Conversation content={data} generation={generation} isMarkdown={look === "markdown"} />}
        </DataState>
      )}
    </Card>
  );
}

/** The heading of a message: text completions and embeddings have texts that are stored as user messages. */
const titleOf = (protocol: Generation["protocol"], role: string): string =>
  (role === "user" && { completions: "Prompt", embeddings: "Input" }[protocol as string]) || role;

function Conversation({
  content: { input, output, error },
  generation,
  isMarkdown,
}: {
  content: GenerationContent;
  generation: Generation;
  isMarkdown: boolean;
}) {
  const spans = redactedSpans(
    generation.decisions,
    input.messages.map(({ content }) => content),
  );
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

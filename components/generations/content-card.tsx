"use client";
import { useQuery } from "@tanstack/react-query";
import { DataState } from "@/components/layout/data-state";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { Skeleton } from "@/components/ui/skeleton";
import { toFailure } from "@/lib/browser/api-failure";
import type { GenerationContent } from "@/lib/generations/content-contract";
import { generationContentQuery } from "./generation-queries";
import { StoredErrorPanel } from "./stored-error-panel";

const ABSENT: Readonly<Record<string, string>> = {
  content_not_stored: "Prompt and completion of this generation were not stored: nothing went upstream, or the workspace's content logging was off.",
  content_expired: "Prompt and completion of this generation were deleted when their retention ended.",
  content_deleted: "Prompt and completion of this generation were deleted.",
};

/** Prompt, completion and stored failure; text of users and models is shown as it is, never as markup. */
export function ContentCard({ id }: { id: string }) {
  const content = useQuery(generationContentQuery(id));
  const absent = content.error && ABSENT[String(toFailure(content.error).metadata.reason)];
  return (
    <Card id="content" title="Content" className="grid gap-4">
      {absent ? (
        <p className="text-muted">{absent}</p>
      ) : (
        <DataState query={content} subject="the content of this generation" skeleton={<Skeleton className="h-40" />}>
          {(data) => <Conversation content={data} />}
        </DataState>
      )}
    </Card>
  );
}

function Conversation({ content: { input, output, error } }: { content: GenerationContent }) {
  return (
    <>
      {error && <StoredErrorPanel error={error} />}
      <ol className="grid gap-3">
        {input.messages.map((message, index) => (
          <li key={index}>
            <Part title={message.role} text={message.content} />
          </li>
        ))}
      </ol>
      {output.reasoning !== null && output.reasoning !== "" && <Part title="Reasoning" text={output.reasoning} />}
      {(output.completion !== "" || !error) && <Part title="Completion" text={output.completion} />}
      {output.tool_calls && output.tool_calls.length > 0 && <Part title="Tool calls" text={JSON.stringify(output.tool_calls, null, 2)} />}
    </>
  );
}

function Part({ title, text }: { title: string; text: string }) {
  return (
    <div className="grid gap-1.5">
      <h3 className="text-[13px] font-medium first-letter:uppercase">{title}</h3>
      {text === "" ? <p className="text-[13px] text-muted">Empty</p> : <CodeBlock label={title} text={text} wraps />}
    </div>
  );
}

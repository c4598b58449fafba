"use client";
import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { Arrow } from "@/components/ui/arrow";
import type { Generation } from "@/lib/records/generations/contract";
import { wordsOf } from "@/lib/features/content-access/vocabulary";
import { previewQuery } from "./preview-queries";

const NOT_STORED = "Not stored";

/** First prompt and answer of a generation on one line, with the words of a search marked; for a failure, its message. */
export function PreviewCell({ generation, q }: { generation: Generation; q: string }) {
  const { id, content_stored, error } = generation;
  const { data: preview, isLoading } = useQuery({ ...previewQuery(id, q), enabled: content_stored });
  // Hides the message of a failure, too, because the prompt would move it.
  if (isLoading) return <span className="block text-muted">…</span>;
  const words = wordsOf(q);
  const prompt = preview?.prompt ?? null;
  const answer = error?.message ?? preview?.completion ?? null;
  return (
    <span className="block truncate">
      {prompt === null ? (
        <span className="text-muted">{content_stored ? "" : NOT_STORED}</span>
      ) : (
        <MarkedWords text={prompt} words={words} />
      )}
      {answer !== null && answer !== "" && (
        <span className={error ? "text-danger" : "text-muted"}>
          <span aria-hidden>
            {" "}
            <Arrow />{" "}
          </span>
          <MarkedWords text={answer} words={words} />
        </span>
      )}
    </span>
  );
}

const SPECIAL = /[.*+?^${}()|[\]\\]/g;

/** Text with the words of a search marked. */
function MarkedWords({ text, words }: { text: string; words: readonly string[] }) {
  if (words.length === 0) return text;
  const pattern = new RegExp(`(${words.map((word) => word.replace(SPECIAL, String.raw`\$&`)).join("|")})`, "giu");
  return text.split(pattern).map((part, index) =>
    index % 2 === 1 ? (
      <mark key={index} className="rounded-xs bg-warning-subtle text-foreground">
        {part}
      </mark>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}

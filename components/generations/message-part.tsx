"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { CopyButton } from "@/components/ui/copy-button";
import { HighlightedText, type TextSpan } from "@/components/ui/highlighted-text";
import { Markdown } from "@/components/ui/markdown";
import { formatCount } from "./generation-format";

/** Longer texts start collapsed. */
const FOLDED_CHARACTERS = 2000;

interface MessagePartProps {
  title: string;
  text: string;
  spans?: readonly TextSpan[] | undefined;
  isMarkdown?: boolean;
  isCode?: boolean;
}

/** One message, as plain text with redactions highlighted or rendered as Markdown. */
export function MessagePart({ title, text, spans = [], isMarkdown = false, isCode = false }: MessagePartProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  const isFolded = text.length > FOLDED_CHARACTERS && !isUnfolded;
  const shown = isFolded ? text.slice(0, FOLDED_CHARACTERS) : text;
  return (
    <div className="grid gap-1.5">
      <div className="flex min-h-7 items-center gap-2">
        <h3 className="text-[13px] font-medium first-letter:uppercase">{title}</h3>
        {spans.length > 0 && (
          <span className="text-[13px] text-muted">{spans.length === 1 ? "1 match" : `${spans.length} matches`}</span>
        )}
        {text !== "" && <CopyButton text={text} label={`Copy ${title.toLowerCase()}`} className="ml-auto text-muted" />}
      </div>
      {text === "" ? (
        <p className="text-[13px] text-muted">Empty</p>
      ) : (
        <div
          role="group"
          aria-label={title}
          className={cn("min-w-0 rounded-md border bg-background p-3", !isMarkdown && "font-mono text-[13px]/5")}
        >
          {isMarkdown && !isCode ? <Markdown text={shown} /> : <HighlightedText text={shown} spans={spans} />}
        </div>
      )}
      {text.length > FOLDED_CHARACTERS && (
        <Button
          size="sm"
          variant="ghost"
          className="justify-self-start"
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {isUnfolded ? "Show less" : `Show all ${formatCount(text.length)} characters`}
        </Button>
      )}
    </div>
  );
}

"use client";
import { useId } from "react";
import type { CodeProblem } from "./code-view";
import { cn } from "./class-names";
import { fieldStyle } from "./input";
import { lazyComponent } from "./lazy-component";

export interface CodeEditorProps {
  label: string;
  value: string;
  /** Read-only if omitted. */
  onChange?: (value: string) => void;
  language: "json" | "regex" | "text";
  /** An error and its range in the text. */
  problem?: CodeProblem | null | undefined;
  minLines?: number;
}

const LINE_PX = 20;
const PADDING_PX = 16;

const CodeView = lazyComponent(() => import("./code-view").then((file) => file.CodeView), { ssr: false });

/** Code editor with syntax highlighting. Tab moves focus, like in any other field. */
export function CodeEditor({ problem, minLines = 4, onChange, ...props }: CodeEditorProps) {
  const isReadOnly = onChange === undefined;
  const problemId = useId();
  return (
    <div className="grid min-w-0 gap-1.5">
      <div
        className={cn(
          fieldStyle,
          "max-h-[32rem] overflow-auto has-focus-visible:outline-2 has-focus-visible:outline-accent",
          isReadOnly && "bg-background",
          problem && "border-danger",
        )}
        style={{ minHeight: minLines * LINE_PX + PADDING_PX }}
      >
        <CodeView
          {...props}
          isReadOnly={isReadOnly}
          onChange={onChange}
          problem={problem ?? null}
          describedBy={problem ? problemId : undefined}
        />
      </div>
      {problem && (
        <p id={problemId} className="text-[13px] wrap-anywhere text-danger">
          {problem.message}
        </p>
      )}
    </div>
  );
}

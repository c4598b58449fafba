import { json, jsonParseLinter } from "@codemirror/lang-json";
import { bracketMatching, StreamLanguage, type StreamParser } from "@codemirror/language";
import { forceLinting, linter, type Diagnostic } from "@codemirror/lint";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { minimalSetup } from "codemirror";
import { useEffect, useEffectEvent, useRef } from "react";
import { codeStyle } from "./code-style";

export interface CodeProblem {
  message: string;
  from?: number;
  to?: number;
}

interface CodeViewProps {
  label: string;
  value: string;
  onChange: ((value: string) => void) | undefined;
  language: "json" | "regex" | "text";
  isReadOnly: boolean;
  problem: CodeProblem | null;
  describedBy: string | undefined;
}

const checkJson = jsonParseLinter();
const LINT_DELAY_MS = 300;

function diagnose(view: EditorView, language: CodeViewProps["language"], problem: CodeProblem | null): Diagnostic[] {
  const own = language === "json" && view.state.doc.toString().trim() !== "" ? checkJson(view) : [];
  if (problem?.from === undefined) return own;
  const end = view.state.doc.length;
  const from = Math.min(problem.from, end);
  return [
    ...own,
    { from, to: Math.max(from, Math.min(problem.to ?? from + 1, end)), severity: "error", message: problem.message },
  ];
}

const TOKENS: readonly [RegExp, string][] = [
  [/\\[pP]\{[^}]*\}|\\[dDwWsSbB]/, "atom"],
  [/\\./, "string"],
  [/\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]/, "number"],
  [/\(\?(?:P?<\w+>|[a-zA-Z-]*:|[a-zA-Z-]+\)|<?[=!])|[()]/, "keyword"],
  [/\{\d+(?:,\d*)?\}\??|[*+?]\??/, "keyword"],
  [/[|^$.]/, "keyword"],
];

/** Basic highlighting of regular expressions. */
const regexSyntax: StreamParser<null> = {
  token: (stream) => {
    for (const [pattern, style] of TOKENS) if (stream.match(pattern)) return style;
    stream.next();
    return null;
  },
};

const SYNTAX: Record<CodeViewProps["language"], Extension> = {
  json: [json(), bracketMatching(), lineNumbers()],
  regex: [StreamLanguage.define(regexSyntax), bracketMatching()],
  text: [],
};

/** The CodeMirror editor, loaded on first use. */
export function CodeView({ label, value, onChange, language, isReadOnly, problem, describedBy }: CodeViewProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<{ view: EditorView; outside: Compartment } | null>(null);
  const report = useEffectEvent((text: string) => text !== value && onChange?.(text));
  const lint = useEffectEvent((view: EditorView) => diagnose(view, language, problem));
  const initial = useEffectEvent(() => value);

  useEffect(() => {
    const outside = new Compartment();
    const view = new EditorView({
      parent: place.current ?? document.body,
      state: EditorState.create({
        doc: initial(),
        extensions: [
          minimalSetup,
          codeStyle(),
          EditorView.lineWrapping,
          SYNTAX[language],
          linter((current) => lint(current), { delay: LINT_DELAY_MS }),
          EditorState.readOnly.of(isReadOnly),
          EditorView.updateListener.of((update) => update.docChanged && report(update.state.doc.toString())),
          outside.of([]),
        ],
      }),
    });
    editor.current = { view, outside };
    return () => view.destroy();
  }, [language, isReadOnly]);

  useEffect(() => {
    if (!editor.current) return;
    const { view, outside } = editor.current;
    const attributes = {
      "aria-label": label,
      "aria-invalid": String(problem !== null),
      ...(describedBy && { "aria-describedby": describedBy }),
      ...(isReadOnly && { "aria-readonly": "true" }),
    };
    view.dispatch({ effects: outside.reconfigure(EditorView.contentAttributes.of(attributes)) });
    forceLinting(view);
  }, [label, problem, describedBy, isReadOnly, language]);

  useEffect(() => {
    const view = editor.current?.view;
    if (view && view.state.doc.toString() !== value)
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
  }, [value]);

  return <div ref={place} />;
}

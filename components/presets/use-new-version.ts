import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useDebounced } from "@/components/ui/use-debounced";
import { toFailure, type ApiFailure } from "@/lib/browser/api-failure";
import type { PresetVersion, PresetWithVersion } from "@/lib/records/presets/contract";
import { previewQuery, useCreateVersion } from "./preset-queries";
import { detectFormat, parseBody, rangeOfPath, type BodyFormat } from "./request-text";

/** Placeholder slug for previews before a slug is entered. */
const ANY_SLUG = "draft";
const NOTHING = {};

/** Request body that recreates this version. */
export const bodyOf = ({ config, system_prompt }: Pick<PresetVersion, "config" | "system_prompt">): string =>
  JSON.stringify({ ...config, ...(system_prompt !== "" && { instructions: system_prompt }) }, null, 2);

/** An error in the body, and its range in the text. */
function bodyProblem(text: string, fault: string | null, failure: ApiFailure | null) {
  if (text.trim() === "") return null;
  if (fault !== null) return { message: fault };
  const [first] = failure?.issues ?? [];
  if (!first) return null;
  return { message: `${first.path.join(".")}: ${first.message}`, ...rangeOfPath(text, first.path) };
}

/** State of a version being written: input, validation and preview. */
export function useNewVersion(workspace: string | null, base: PresetWithVersion | null, start?: string) {
  const initial = start ?? (base ? bodyOf(base.designated_version) : "");
  const [slug, setSlug] = useState(base?.slug ?? "");
  const [text, setText] = useState(initial);
  const [chosenFormat, setFormat] = useState<BodyFormat | null>(null);
  const [message, setMessage] = useState("");
  const [isFaulty, setFaulty] = useState(false);
  const { body, fault } = parseBody(text);
  const format = chosenFormat ?? (body ? detectFormat(body) : "responses");

  const debouncedSlug = useDebounced(slug);
  const debounced = parseBody(useDebounced(text));
  const place = useQuery({
    ...previewQuery({ slug: debouncedSlug, workspace }, "responses", NOTHING),
    enabled: debouncedSlug !== "",
    retry: false,
  });
  const preview = useQuery({
    ...previewQuery({ slug: ANY_SLUG, workspace }, format, debounced.body ?? NOTHING),
    enabled: debounced.body !== null,
    retry: false,
  });
  const creation = useCreateVersion({ slug, workspace });
  const previewFailure = body && preview.error ? toFailure(preview.error) : null;
  return {
    slug: { value: slug, set: setSlug, place: debouncedSlug === slug && slug !== "" ? place : null },
    text: { value: text, set: setText, problem: bodyProblem(text, fault, previewFailure) },
    /** The same body as an object, for the form. */
    form: {
      body: text.trim() === "" ? NOTHING : body,
      set: (next: Readonly<Record<string, unknown>>) => setText(JSON.stringify(next, null, 2)),
      issues: previewFailure?.issues ?? [],
      setFaulty,
    },
    format: { value: format, set: setFormat, isDetected: chosenFormat === null },
    message: { value: message, set: setMessage },
    preview: body ? preview : null,
    isDirty: text !== initial || message !== "" || (base === null && slug !== ""),
    canCreate: body !== null && !isFaulty && slug !== "",
    creation,
    create: (basedOn: number | null, goesLive = true) =>
      body ? creation.mutateAsync({ format, body, message, basedOn, goesLive }) : Promise.reject(new Error("no body")),
  };
}

export type NewVersion = ReturnType<typeof useNewVersion>;

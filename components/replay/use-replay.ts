import { useEffect, useRef, useState } from "react";
import type { CallInput } from "@/lib/browser/api-client";
import { toFailure, type ApiFailure } from "@/lib/browser/api-failure";
import { announce } from "@/lib/browser/announce";
import { follow } from "@/lib/browser/follow";
import { replayGuardrail } from "@/lib/browser/operations/replay";
import type { Replay, ReplayProgress } from "@/lib/features/replay/contract";
import { describeImpact } from "./change-labels";

export type ReplayRequest = CallInput<typeof replayGuardrail>["body"];

interface State {
  request: ReplayRequest | null;
  /** Null when idle. */
  progress: ReplayProgress | "begun" | null;
  result: Replay | null;
  failure: ApiFailure | null;
}

const NOTHING: State = { request: null, progress: null, result: null, failure: null };

/** Replays a draft. Starting a new run or leaving the page cancels the previous one. */
export function useReplay() {
  const [state, setState] = useState<State>(NOTHING);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const read = async (request: ReplayRequest, finish: (result: Replay) => void) => {
    running.current?.abort();
    const own = (running.current = new AbortController());
    try {
      for await (const step of follow<ReplayProgress, typeof replayGuardrail>(replayGuardrail, {
        body: request,
        signal: own.signal,
      })) {
        if ("progress" in step) setState((before) => ({ ...before, progress: step.progress }));
        else finish(step.result.data);
      }
    } catch (error) {
      if (!own.signal.aborted) setState((before) => ({ ...before, progress: null, failure: toFailure(error) }));
    }
  };
  return {
    ...state,
    run: (request: ReplayRequest) => {
      setState({ ...NOTHING, request, progress: "begun" });
      void read(request, (result) => {
        setState({ ...NOTHING, request, result });
        announce(describeImpact(result));
      });
    },
    /** Loads the next rows. */
    more: () => {
      const { request, result } = state;
      if (!request || !result?.next_cursor) return;
      setState({ ...state, progress: "begun", failure: null });
      void read({ ...request, cursor: result.next_cursor }, ({ rows, next_cursor }) =>
        setState({ ...NOTHING, request, result: { ...result, rows: [...result.rows, ...rows], next_cursor } }),
      );
    },
    cancel: () => {
      running.current?.abort();
      setState((before) => ({ ...before, progress: null }));
      announce("Cancelled");
    },
  };
}

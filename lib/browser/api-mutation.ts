"use client";
import { useMutation, type UseMutationOptions, type UseMutationResult } from "@tanstack/react-query";
import { useLayoutEffect, useRef } from "react";

/**
 * `useMutation` that ignores calls from the start of one until its result is rendered; the promise of an ignored
 * `mutateAsync` stays pending. The second click of a double click arrives before React disables the button, and would,
 * for example, create a second key. Once the component has unmounted, nothing is ignored: its toast may offer an undo.
 */
export function useApiMutation<Data, Variables = void>(
  options: UseMutationOptions<Data, Error, Variables>,
): UseMutationResult<Data, Error, Variables> {
  const mutation = useMutation(options);
  /** Null while the component isn't mounted. */
  const isRunning = useRef<boolean | null>(null);
  useLayoutEffect(() => {
    isRunning.current = mutation.isPending;
    return () => {
      isRunning.current = null;
    };
  });
  const mutateAsync: typeof mutation.mutateAsync = (...args) => {
    if (isRunning.current) return new Promise<never>(() => undefined);
    if (isRunning.current === false) isRunning.current = true;
    return mutation.mutateAsync(...args);
  };
  return {
    ...mutation,
    mutateAsync,
    mutate: (...args) => {
      mutateAsync(...args).catch(() => undefined);
    },
  };
}

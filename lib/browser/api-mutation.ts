"use client";
import { useMutation, type UseMutationOptions, type UseMutationResult } from "@tanstack/react-query";
import { useLayoutEffect, useRef } from "react";

/**
 * `useMutation` that ignores further calls until the result of the running one is rendered; the promise of an ignored `mutateAsync`
 * stays pending. The second click of a double click arrives before React disables the button, and would, for example, create a second
 * key. After the component has unmounted, no call is ignored, because its toast may offer an undo.
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

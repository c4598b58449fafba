import { useEffect, useRef, useState } from "react";

type Resolve = (isDone: boolean) => void;

/**
 * State of a dialog that requests wait for. `subscribe` sets the handler that opens it and returns the unsubscribe function; `close`
 * closes the dialog and resolves all waiting requests.
 */
export function useAwaitedDialog(subscribe: (handler: () => Promise<boolean>) => () => void): {
  isOpen: boolean;
  close: Resolve;
} {
  const [isOpen, setOpen] = useState(false);
  const waiting = useRef<Resolve[]>([]);
  useEffect(() => {
    const unsubscribe = subscribe(
      () =>
        new Promise((resolve) => {
          waiting.current.push(resolve);
          setOpen(true);
        }),
    );
    return unsubscribe;
  }, [subscribe]);
  return {
    isOpen,
    close: (isDone) => {
      setOpen(false);
      for (const resolve of waiting.current.splice(0)) resolve(isDone);
    },
  };
}

import { useEffect, useState } from "react";

const DELAY_MS = 400;

/** The value, once it hasn't changed for a moment. Compared by content, so that callers can pass new objects. */
export function useDebounced<Value>(value: Value): Value {
  const [debounced, setDebounced] = useState(value);
  const serialized = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(JSON.parse(serialized) as Value), DELAY_MS);
    return () => clearTimeout(timer);
  }, [serialized]);
  return debounced;
}

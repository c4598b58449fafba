import { useEffect, useState } from "react";

/** Returns the value once it hasn't changed for a moment. Compares by content, so that callers can pass new objects. */
export function useDebounced<Value>(value: Value, delayMs = 400): Value {
  const [debounced, setDebounced] = useState(value);
  const serialized = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(JSON.parse(serialized) as Value), delayMs);
    return () => clearTimeout(timer);
  }, [serialized, delayMs]);
  return debounced;
}

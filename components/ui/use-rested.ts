import { useEffect, useState } from "react";

const PAUSE_MS = 400;

/** The debounced value. */
export function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value);
  const written = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(JSON.parse(written) as Value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [written]);
  return rested;
}

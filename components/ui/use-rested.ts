import { useEffect, useState } from "react";

const PAUSE_MS = 400;

/** The value, once it has rested. */
export function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value);
  const written = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(JSON.parse(written) as Value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [written]);
  return rested;
}

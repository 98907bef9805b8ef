import { useEffect, useState } from "react";

const TYPING_MS = 400;

/** Returns the value once it hasn't changed for this long, so that typing doesn't send a request per letter. */
export function useDebounced<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

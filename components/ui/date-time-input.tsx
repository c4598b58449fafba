import type { ComponentProps } from "react";
import { Input } from "./input";

/** Without a maximum, the field accepts years of six digits. */
const LATEST = "9999-12-31T23:59";

/** Date and time to the minute, as "2026-11-26T17:27" without a zone. */
export const DateTimeInput = (props: Omit<ComponentProps<"input">, "type" | "max">) => (
  <Input type="datetime-local" max={LATEST} {...props} />
);

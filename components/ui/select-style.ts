import type { ReactNode } from "react";
import { cn } from "./class-names";
import { fieldStyle } from "./input";

export interface SelectOption<Value extends string> {
  value: Value;
  label: ReactNode;
}

export interface SelectProps<Value extends string> {
  value: Value;
  onValueChange: (value: Value) => void;
  options: readonly SelectOption<Value>[];
  id?: string;
  className?: string;
  disabled?: boolean;
  "aria-label"?: string;
  "aria-describedby"?: string;
  "aria-invalid"?: boolean;
}

export const selectStyle = cn(fieldStyle, "flex h-8 items-center justify-between gap-2 px-2.5 text-left");

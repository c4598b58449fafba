import type { ReactNode } from "react";
import { ConsoleFrame } from "../console-frame";
import { signedInCaller } from "../signed-in-caller";

/** Signed-out visitors get the page for unknown URLs without the console frame. */
export default async function UnknownLayout({ children }: { children: ReactNode }) {
  const caller = await signedInCaller();
  if (caller) return <ConsoleFrame caller={caller}>{children}</ConsoleFrame>;
  return <main className="mx-auto grid min-h-dvh w-full max-w-xl content-center p-4">{children}</main>;
}

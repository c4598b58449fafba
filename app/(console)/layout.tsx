import { headers } from "next/headers";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { signInPath } from "@/lib/browser/sign-in-path";
import { ConsoleFrame } from "../console-frame";
import { signedInCaller } from "../signed-in-caller";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const caller = await signedInCaller();
  if (!caller) redirect(signInPath((await headers()).get("x-signalbox-path") ?? "/"));
  return <ConsoleFrame caller={caller}>{children}</ConsoleFrame>;
}

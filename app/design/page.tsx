import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { DesignSamples } from "./design-samples";

export const metadata: Metadata = { title: "Design" };

/** Console components in all their states, for contributors. */
export default function DesignPage() {
  if (process.env.NODE_ENV === "production") notFound();
  return (
    <main className="mx-auto w-full max-w-6xl px-4 py-6 sm:px-6">
      <DesignSamples />
    </main>
  );
}

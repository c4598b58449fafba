import type { Metadata } from "next";
import { KeyList } from "@/components/keys/key-list";

export const metadata: Metadata = { title: "API keys" };

export default function KeysPage() {
  return <KeyList />;
}

"use client";
import { useUser } from "@/components/session/user-context";
import { TextLink } from "@/components/ui/text-link";
import type { Generation } from "@/lib/records/generations/contract";

/** Name and label of a generation's key, linked for admins. */
export function KeyLink({ generation: { key_hash, key_name, key_label } }: { generation: Generation }) {
  const { isAdmin } = useUser();
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2">
      {isAdmin ? <TextLink href={`/keys/${key_hash}`}>{key_name ?? "Key"}</TextLink> : key_name}
      <code className="font-mono text-[13px] break-all text-muted">{key_label}</code>
    </span>
  );
}
